/** Values that are made when they are first asked for, and kept. */

/** A function that calls `make` once for each key; for keys of a bounded number, such as parts of a contract. */
export function onceForEach<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new Map<Key, Made>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** A function that calls `make` when it is first called. */
export function once<Made>(make: () => Made): () => Made {
  let made: { value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}
