/** openapi-backend on Express, as its guide shows it: it routes, asks for the token and validates by `openapi.yaml`. */
import express, { type Request, type Response } from 'express';
import { type Context, OpenAPIBackend, type Request as ApiRequest } from 'openapi-backend';
import { listen } from './listen';
import { type NewPlant, PlantStore } from './plant-store';
import { settings } from './settings';

const plants = new PlantStore(settings.database);

const api = new OpenAPIBackend({
  definition: settings.contract,
  quick: true, // leaves out its check of the contract, which knows OpenAPI 3.0 only
  handlers: {
    createPlant: (context: Context<NewPlant>, _request: Request, response: Response) =>
      response.json(plants.add(context.request.requestBody)),
    validationFail: (context, _request: Request, response: Response) =>
      response.status(400).json({ err: context.validation.errors }),
    notFound: (_context, _request: Request, response: Response) => response.status(404).json({ err: 'not found' }),
    unauthorizedHandler: (_context, _request: Request, response: Response) =>
      response.status(401).json({ err: 'unauthorized' }),
  },
  securityHandlers: {
    bearerAuth: (_context, request: Request) => request.headers.authorization === `Bearer ${settings.token}`,
  },
});

const app = express();
app.use(express.json());
app.use((request, response) => api.handleRequest(request as ApiRequest, request, response)); // the cast is its guide's

void api.init().then(() => listen(app));
