/** What clients sent and what they were told: what must be in the store afterwards, and what must not. */
import type { NewPlant } from '../../src/plants/repository';
import type { Row } from '../support/service';
import type { Answer } from '../support/client';
import type { PlantClient } from './client';

const UNAVAILABLE = '{"error":50301,"message":"the store does not answer"}';

export class Ledger {
  /** By id, as text: what was sent, and what is known to be stored. */
  private readonly sent = new Map<string, Set<string>>();
  private readonly acknowledged = new Map<string, string>();
  private readonly taken: [id: string, content: string][] = [];
  private readonly surprises: string[] = [];
  /** How many answers said that a plant is stored. */
  acknowledgements = 0;
  /** How many said that nothing is known of it. */
  unavailable = 0;

  /** Lets the client create the plant, and takes note of both; rejects if there is no answer. */
  async create(client: PlantClient, plant: NewPlant): Promise<Answer> {
    const id = String(plant.id);
    this.sent.set(id, (this.sent.get(id) ?? new Set()).add(contentOf(plant)));
    const answer = await client.create(plant);
    this.note(plant, answer);
    return answer;
  }

  /** What is wrong with the rows, given all that was sent and answered; nothing, if the store has kept its word. */
  faults(rows: readonly Row[]): string[] {
    const stored = new Map(rows.map((row) => [String(row.id), contentOf(row)]));
    const faults = [...this.surprises];
    for (const [id, content] of this.acknowledged) {
      if (!stored.has(id)) faults.push(`${id} was acknowledged, and is lost`);
      else if (stored.get(id) !== content) faults.push(`${id} was acknowledged, and is changed`);
    }
    for (const [id, content] of this.taken) {
      if (!stored.has(id)) faults.push(`${id} was said to be taken, and is not`);
      else if (stored.get(id) === content) faults.push(`${id} was said to be taken, and is stored`);
    }
    for (const [id, content] of stored) {
      if (!this.sent.get(id)?.has(content)) faults.push(`${id} is stored, and nobody has sent it so`);
    }
    return faults;
  }

  private note(plant: NewPlant, { status, headers, body }: Answer): void {
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
      this.surprises.push(`${id} was answered ${status} ${body}`);
    }
  }
}

/** A name and a tag, of a plant or a row, as one text. */
function contentOf({ name, tag }: { name?: unknown; tag?: unknown }): string {
  return JSON.stringify([name, tag ?? null]);
}
