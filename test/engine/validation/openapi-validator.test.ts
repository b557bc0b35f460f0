import type { Express } from 'express';
import type * as library from 'express-openapi-validator/dist/openapi.validator';
import { pino } from 'pino';
import { createApp } from '../../../src/engine/app';
import { loadContract } from '../../../src/engine/rules/load-contract';
import { engineContract, handlersOf } from '../../support/contracts';
import { canRead } from '../../../src/engine/http/media-type';

type Stages = ReturnType<library.OpenApiValidator['installMiddleware']>;

/** What the library gives in place of its stages. */
let alter = (stages: Stages): unknown => stages;

jest.mock('express-openapi-validator/dist/openapi.validator', () => {
  const real = jest.requireActual<typeof library>('express-openapi-validator/dist/openapi.validator');
  class Altered extends real.OpenApiValidator {
    override installMiddleware(...spec: Parameters<library.OpenApiValidator['installMiddleware']>): Stages {
      return alter(super.installMiddleware(...spec)) as Stages;
    }
  }
  return { ...real, OpenApiValidator: Altered };
});

function create(): Promise<Express> {
  const verifiers = { bearerAuth: { scheme: 'http bearer', verify: () => Promise.resolve({ name: 'tester' }) } };
  return createApp({
    contract: loadContract(engineContract, { handlers: ['createPlant'], verifiers, canRead }),
    handlers: handlersOf({ createPlant: () => ({ status: 200 }) })(),
    verifiers,
    basePath: '',
    bodyBytesMax: 1_000,
    enforceAnswers: true,
    log: pino({ level: 'silent' }),
  });
}

describe('express-openapi-validator', () => {
  it('has the stages that it is known for', async () => {
    await expect(create()).resolves.toBeDefined();
  });

  it.each<[what: string, alter: (stages: Stages) => unknown, names: string]>([
    [
      'has another order',
      (stages) => [...stages].reverse(),
      'requestMiddleware securityMiddleware metadataMiddleware pathParamsMiddleware',
    ],
    ['lacks one', (stages) => stages.slice(0, 3), 'pathParamsMiddleware metadataMiddleware securityMiddleware'],
    [
      'has one more',
      (stages) => [...stages, function other() {}],
      'pathParamsMiddleware metadataMiddleware securityMiddleware requestMiddleware other',
    ],
    ['has none', () => [], ''],
  ])('is not served with where it %s', async (_what, altered, names) => {
    alter = altered;
    await expect(create()).rejects.toThrow(`express-openapi-validator has other stages than expected: ${names}`);
  });

  it('is not served with where it cannot read the contract', async () => {
    const pathParamsMiddleware = (_req: unknown, _res: unknown, next: (error: unknown) => void) =>
      next(new Error('broken'));
    alter = ([, ...others]) => [pathParamsMiddleware, ...others];
    await expect(create()).rejects.toThrow('broken');
  });
});
