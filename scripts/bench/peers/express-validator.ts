/**
 * Express with express-openapi-validator, as its guide shows it: the JSON body reader, then the middleware with
 * request and response validation, then the route and the error handler; a security handler looks at the token.
 */
import express, { type ErrorRequestHandler, type Request } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { listen } from './listen';
import { type NewPlant, PlantStore } from './plant-store';
import { settings } from './settings';

interface HttpError extends Error {
  status?: number;
  errors?: unknown;
}

const plants = new PlantStore(settings.database);
const app = express();

app.use(express.json());
app.use(
  OpenApiValidator.middleware({
    apiSpec: settings.contract,
    validateRequests: true,
    validateResponses: true,
    validateSecurity: {
      handlers: { bearerAuth: (request) => request.headers.authorization === `Bearer ${settings.token}` },
    },
  }),
);

app.post('/plants', (request: Request<object, unknown, NewPlant>, response) => {
  response.json(plants.add(request.body));
});

const answerError: ErrorRequestHandler = ({ status, message, errors }: HttpError, _request, response, _next) => {
  response.status(status || 500).json({ message, errors });
};
app.use(answerError);

listen(app);
