/** Jest's own reporter, but failures of one file with one and the same message, such as that of a start, are printed once. */
const { DefaultReporter, VerboseReporter } = require('@jest/reporters');

module.exports = function createReporter(config) {
  const reporter = new (config.verbose ? VerboseReporter : DefaultReporter)(config);
  reporter.printTestFileFailureMessage = (_file, _project, { failureMessage }) => {
    if (failureMessage) reporter.log(shortened(failureMessage));
  };
  // Jest takes a pattern that no test is named by for a success.
  const { testNamePattern } = config;
  const complete = reporter.onRunComplete.bind(reporter);
  reporter.onRunComplete = (contexts, results) => {
    complete(contexts, results);
    const { numPassedTests, numFailedTests } = results;
    if (!testNamePattern || numPassedTests + numFailedTests > 0) return;
    reporter.log(`No test ran whose name matches ${testNamePattern}`);
    reporter._setError(new Error('no test ran'));
  };
  return reporter;
};

function shortened(text) {
  const seen = new Set();
  const failures = text.split(/^(?=[^\n●]*● )/m);
  const different = failures.filter((failure) => {
    const message = failure.slice(failure.indexOf('\n'));
    return !seen.has(message) && seen.add(message);
  });
  const more = failures.length - different.length;
  return different.join('') + (more > 0 ? `  ● and ${more} more with one of these messages\n` : '');
}
