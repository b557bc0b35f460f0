import { postgres, sqlite } from '../../src/plants/column-types';

it.each(Object.entries({ sqlite, postgres }))(
  '%s has a type of its own for each kind of column but those of JSON, so that the start sees another kind',
  (_store, { json64, ...types }) => {
    expect(json64).toBe(types.json);
    expect(new Set(Object.values(types)).size).toBe(Object.keys(types).length);
  },
);
