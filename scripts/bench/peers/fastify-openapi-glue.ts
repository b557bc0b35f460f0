/** Fastify with fastify-openapi-glue, which takes routes, schemas and security from our `openapi.yaml`. */
import fastify, { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import { type NewPlant, PlantStore } from './plant-store';
import { settings } from './settings';

async function main(): Promise<void> {
  const { default: openapiGlue } = await import('fastify-openapi-glue');
  const plants = new PlantStore(settings.database);
  const app = fastify();
  // Its own error bodies do not fit the contract's schema of errors, and become 500.
  app.setErrorHandler<FastifyError>(({ statusCode = 500, message }, _request, reply) =>
    reply.code(statusCode).send({ error: statusCode * 100, message }),
  );
  await app.register(openapiGlue, {
    specification: settings.contract,
    serviceHandlers: {
      createPlant: (request: FastifyRequest<{ Body: NewPlant }>, reply: FastifyReply) =>
        reply.send(plants.add(request.body)),
    },
    securityHandlers: {
      bearerAuth: (request: FastifyRequest) => {
        if (request.headers.authorization !== `Bearer ${settings.token}`) throw new Error('unknown token');
      },
    },
  });
  console.log(`listening on ${await app.listen({ port: settings.port, host: settings.host })}`);
}

void main();
