/** Fails a test whose code ends the process: jest would end with the status of that code, which may be 0, and run no further test. */
process.exit = (code) => {
  throw new Error(`expected a test that comes to its end, got process.exit(${code ?? ''})`);
};
