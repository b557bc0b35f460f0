/** Clients of a service process: connections that are kept, on each of them one request after the other. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { NewPlant } from '../../src/plants/repository';
import type { ServiceProcess } from '../support/process';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export class Client {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(private readonly service: Pick<ServiceProcess, 'baseUrl' | 'token'>) {}

  /** `POST /plants`; rejects if there is no answer, or not the whole of one. */
  create(plant: NewPlant): Promise<Answer> {
    const { baseUrl, token } = this.service;
    return new Promise((resolve, reject) => {
      const sent = request(`${baseUrl}/plants`, {
        method: 'POST',
        agent: this.agent,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
      sent.on('error', reject).on('response', (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.on('error', reject).on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
      });
      sent.end(jsonOf(plant));
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Creates the plants, all at once, each on a connection of its own. */
export function createAll(
  service: Pick<ServiceProcess, 'baseUrl' | 'token'>,
  plants: readonly NewPlant[],
): Promise<Answer[]> {
  return Promise.all(
    plants.map(async (plant) => {
      const client = new Client(service);
      try {
        return await client.create(plant);
      } finally {
        client.close();
      }
    }),
  );
}

/** The plant as JSON, with its id exactly. */
function jsonOf({ id, ...rest }: NewPlant): string {
  return `{"id":${id},${JSON.stringify(rest).slice(1)}`;
}
