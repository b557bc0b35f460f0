/** Fastify as in `fastify.ts`, with the plants that arrive while a commit is running sharing the next one, as ours do. */
import { GroupCommit } from './group-commit';
import { serveFastify } from './serve-fastify';

const plants = new GroupCommit();
void serveFastify((plant) => plants.add(plant));
