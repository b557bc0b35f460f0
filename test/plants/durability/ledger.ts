/** Records what clients sent and how it was answered, and compares a store with it. */
import type { NewPlant } from '../../../src/plants/repository';
import type { Row } from '../support/store';
import type { Answer } from '../../../src/tools/conformance/client';
import type { PlantClient } from '../../support/plant-client';

const UNAVAILABLE = '{"error":50301,"message":"the store does not answer"}';

export class Ledger {
  /** Contents by id: all that were sent, and the one that was acknowledged. */
  private readonly sent = new Map<string, Set<string>>();
  private readonly acknowledged = new Map<string, string>();
  private readonly taken: [id: string, content: string][] = [];
  private readonly unexpected: string[] = [];
  /** The number of 200 answers. */
  acknowledgements = 0;
  /** The number of 503 answers. */
  unavailable = 0;

  /** Has the client create the plant, and records both; rejects where there is no answer. */
  async create(client: PlantClient, plant: NewPlant): Promise<Answer> {
    const id = String(plant.id);
    this.sent.set(id, (this.sent.get(id) ?? new Set()).add(contentOf(plant)));
    const answer = await client.create(plant);
    this.record(plant, answer);
    return answer;
  }

  /** Contradictions between the rows and what was sent and answered. */
  faults(rows: readonly Row[]): string[] {
    const stored = new Map(rows.map((row) => [String(row.id), contentOf(row)]));
    const faults = [...this.unexpected];
    for (const [id, content] of this.acknowledged) {
      if (!stored.has(id)) faults.push(`${id} was acknowledged, and is missing`);
      else if (stored.get(id) !== content) faults.push(`${id} was acknowledged, and is changed`);
    }
    for (const [id, content] of this.taken) {
      if (!stored.has(id)) faults.push(`${id} was said to be taken, and is not`);
      else if (stored.get(id) === content) faults.push(`${id} was said to be taken, and is stored`);
    }
    for (const [id, content] of stored) {
      if (!this.sent.get(id)?.has(content)) faults.push(`${id} is stored, and was not sent with this content`);
    }
    return faults;
  }

  private record(plant: NewPlant, { status, headers, body }: Answer): void {
    const id = String(plant.id);
    const content = contentOf(plant);
    const before = this.acknowledged.get(id);
    if (
      status === 200 &&
      body === JSON.stringify({ name: plant.name, tag: plant.tag }) &&
      (before ?? content) === content
    ) {
      this.acknowledged.set(id, content);
      this.acknowledgements++;
    } else if (status === 409 && before !== content) {
      this.taken.push([id, content]);
    } else if (status === 503 && body === UNAVAILABLE && headers['retry-after'] === '1') {
      this.unavailable++;
    } else {
      this.unexpected.push(`${id} was answered ${status} ${body}`);
    }
  }
}

/** Name and tag of a plant or a row as a key. */
function contentOf({ name, tag }: { name?: unknown; tag?: unknown }): string {
  return JSON.stringify([name, tag ?? null]);
}
