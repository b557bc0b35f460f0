/**
 * Jest's order, the longest file first by what it remembers, but before all others those that install packages: on a machine that remembers
 * nothing the size of a file stands for its duration, and these are small.
 */
const { default: Sequencer } = require('@jest/test-sequencer');

module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const installs = ({ path }) => /\b(?:new|ci|npx|flow)\.slow\.test\.ts$/.test(path);
    const sorted = super.sort(tests);
    return [...sorted.filter(installs), ...sorted.filter((test) => !installs(test))];
  }
};
