import { insertPlants } from '../../../src/plants/postgres/statements';

describe('insertPlants', () => {
  it('pads a batch with its shortest plant, so that a long one is written and sent once', () => {
    const long = { id: 9n, name: 'n'.repeat(100_000) };
    const { name, values } = insertPlants(
      [
        { id: 1n, name: 'Fig', tag: 'indoor' },
        { id: 2n, name: 'Yew' },
        { ...long, id: 3n },
        { id: 4n, name: 'Elm' },
        long,
      ],
      false,
    );
    expect([name, values]).toEqual([
      'insert-6',
      [
        1n,
        'Fig',
        'indoor',
        2n,
        'Yew',
        null,
        3n,
        long.name,
        null,
        4n,
        'Elm',
        null,
        9n,
        long.name,
        null,
        2n,
        'Yew',
        null,
      ],
    ]);
  });
});
