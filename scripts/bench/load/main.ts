/** The process of the load generator: answers each order with its outcome. */
import { generate } from './generate';
import type { Order } from './protocol';

process.on('message', (order: Order) => {
  void generate(order).then((outcome) => process.send?.(outcome));
});
process.on('disconnect', () => process.exit());
