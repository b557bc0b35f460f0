/** Values that are made when they are first asked for, and kept. */

/**
 * A function that calls `make` once for each key, also where it throws, which may take it seconds; for keys of a bounded number, such as
 * parts of a contract.
 */
export function onceForEach<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new Map<Key, () => Made>();
  return (key) => {
    const known = made.get(key) ?? attempt(() => make(key));
    made.set(key, known);
    return known();
  };
}

/** A function that returns what `make` made, or throws what it threw. */
function attempt<Made>(make: () => Made): () => Made {
  try {
    const value = make();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** A function that calls `make` when it is first called. */
export function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}
