import { insertPlants } from '../../../src/plants/postgres/statements';

describe('insertPlants', () => {
  it('pads a batch with its shortest plant, so that a long one is written and sent once', () => {
    const [yew, name] = [{ id: 2n, name: 'Yew' }, 'n'.repeat(100_000)];
    const batch = [
      { id: 1n, name: 'Fig', tag: 'indoor' },
      yew,
      { id: 3n, name },
      { id: 4n, name: 'Elm' },
      { id: 9n, name },
    ];
    const { values = [], ...query } = insertPlants({ name: 'public.plants', citus: false }, batch);
    expect(query).toEqual({ name: 'insert-6', text: expect.stringContaining('VALUES') as unknown });
    const named = (values as unknown[]).filter((value) => typeof value === 'string' && value !== 'indoor');
    expect(named).toEqual(['Fig', 'Yew', name, 'Elm', name, 'Yew']);
  });
});
