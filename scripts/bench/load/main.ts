/** The process of the load generator: takes an order, answers with its outcome, one after another. */
import { generate } from './generate';
import type { Order } from './protocol';

process.on('message', (order: Order) => {
  void generate(order).then((outcome) => process.send?.(outcome));
});
// The bench is gone: so is the load.
process.on('disconnect', () => process.exit());
