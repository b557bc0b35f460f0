it('fails a test whose code ends the process, rather than ending with its status', () => {
  expect(() => process.exit(0)).toThrow('expected a test that comes to its end, got process.exit(0)');
});
