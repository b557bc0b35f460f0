/** Clients that create plants, of a service with our contract or the engine's. */
import { type Answer, Client } from '../../src/tools/conformance/client';
import type { ServiceProcess } from './process';

interface NewPlant {
  id: bigint;
  name: string;
  tag?: string;
}

type Service = Pick<ServiceProcess, 'baseUrl' | 'token'>;

/** On one connection, one request after the other. */
export class PlantClient {
  private readonly client: Client;
  private readonly target: string;

  constructor(private readonly service: Service) {
    const { pathname } = new URL(`${service.baseUrl}/plants`);
    this.client = new Client(this.service.baseUrl);
    this.target = pathname;
  }

  /** `POST /plants`; rejects where no answer comes, or not the whole of one. */
  create({ id, ...rest }: NewPlant): Promise<Answer> {
    return this.client.send({
      method: 'POST',
      target: this.target,
      headers: { Authorization: `Bearer ${this.service.token}`, 'Content-Type': 'application/json' },
      body: `{"id":${id},${JSON.stringify(rest).slice(1)}`,
    });
  }

  close(): void {
    this.client.close();
  }
}

/** Creates the plants, all at once, each on a connection of its own. */
export function createAll(service: Service, plants: readonly NewPlant[]): Promise<Answer[]> {
  return Promise.all(
    plants.map(async (plant) => {
      const client = new PlantClient(service);
      try {
        return await client.create(plant);
      } finally {
        client.close();
      }
    }),
  );
}
