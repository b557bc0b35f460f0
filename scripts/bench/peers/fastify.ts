/** Fastify with one commit for each plant, as most services do it. */
import { PlantStore } from './plant-store';
import { serveFastify } from './serve-fastify';
import { settings } from './settings';

const plants = new PlantStore(settings.database);
void serveFastify((plant) => plants.add(plant));
