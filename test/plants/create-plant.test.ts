import type { NewPlant } from '../../src/plants/repository';
import { type OurService, startOurService } from './support/our-service';

let service: OurService;
beforeEach(async () => {
  service = await startOurService();
});
afterEach(() => service.close());

describe('POST /plants', () => {
  it.each<[what: string, sent: object, answered: object]>([
    ['with a tag', { name: 'Monstera deliciosa', tag: 'indoor' }, { name: 'Monstera deliciosa', tag: 'indoor' }],
    ['without a tag', { name: 'Ficus' }, { name: 'Ficus' }],
    [
      'without what the contract does not name',
      { name: 'Ficus', colour: 'green', access_token: 'x' },
      { name: 'Ficus' },
    ],
  ])('stores a plant %s, and answers it without its id', async (_what, sent, answered) => {
    const answer = await service.create({ id: 1, ...sent });
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.text).toBe(JSON.stringify(answered));
    expect(service.rows()).toEqual([{ id: 1n, tag: null, ...answered }]);
  });

  it('says who sends it', async () => {
    const principals: unknown[] = [];
    const plants = {
      add: (_plant: NewPlant, principal?: string) => Promise.resolve(void principals.push(principal)),
      page: () => Promise.resolve([]),
      find: () => Promise.resolve(new Map()),
    };
    await service.close();
    service = await startOurService({ plants });
    expect((await service.create({ id: 1, name: 'Ficus' })).status).toBe(200);
    expect(principals).toEqual([expect.stringMatching(/./)]);
  });

  it('answers 200 again for the same id with the same content', async () => {
    await service.create({ id: 4, name: 'Ficus', tag: 'a' });
    const answer = await service.create({ id: 4, name: 'Ficus', tag: 'a', colour: 'green' });
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{"name":"Ficus","tag":"a"}');
    expect(service.rows()).toEqual([{ id: 4n, name: 'Ficus', tag: 'a' }]);
  });

  it('answers 409 for the same id with other content, and changes nothing', async () => {
    await service.create({ id: 5, name: 'Ficus', tag: 'a' });
    const answer = await service.create({ id: 5, name: 'Hedera', tag: 'a' });
    expect(answer.status).toBe(409);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.body).toEqual({ error: 40901, message: 'a plant with id 5 and other content is in the store' });
    expect(service.rows()).toEqual([{ id: 5n, name: 'Ficus', tag: 'a' }]);
  });
});
