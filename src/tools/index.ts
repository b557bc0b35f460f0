/** The door of the tools: what the tests of a service import of them. */
export { readContract } from './conformance/contract';
export { report, untriedLines } from './conformance/report/report';
export { checkConformance, runsFor } from './conformance/suite';
