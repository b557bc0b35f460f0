import * as types from '../../src/plants/column-types';

it.each(Object.entries(types))(
  '%s has a type of its own for each kind of column, so that the start sees another kind',
  (_store, names) => {
    expect(new Set(Object.values(names)).size).toBe(Object.keys(names).length);
  },
);
