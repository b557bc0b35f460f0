/** In which order connections are read when one of them has brought more than a turn of the event loop takes. */
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Admission } from '../../../src/engine/http/admission';

/** Connections of these ranks, the one of a number being known by it. */
function connectionsOf(ranks: readonly number[]) {
  const resumed: number[] = [];
  const connections = ranks.map((rank, number) => {
    const socket = new Socket().resume();
    return { rank, socket, listen: () => socket.on('resume', () => resumed.push(number)) };
  });
  return { connections, resumed };
}

describe('a read that brings hundreds of pipelined requests', () => {
  it.each<[what: string, ranks: readonly number[], from: number, order: readonly number[]]>([
    ['is followed by all other connections in turn', [2, 2, 2, 2], 1, [2, 3, 0, 1]],
    ['is followed first by those that do not pipeline', [2, 0, 2, 0, 1, 2], 2, [3, 1, 4, 5, 0, 2]],
  ])('%s', async (_what, ranks, from, order) => {
    const { connections, resumed } = connectionsOf(ranks);
    const admission = new Admission(() => connections);
    await nextTurn();
    for (const { listen } of connections) listen();

    const last = connections[from];
    admission.currentTurn();
    for (let times = 0; last && times < 249; times++) admission.countPipelined(last);
    expect(connections.filter(({ socket }) => socket.isPaused())).toEqual([]);
    if (last) admission.countPipelined(last);
    expect(connections.filter(({ socket }) => !socket.isPaused())).toEqual([]);

    await nextTurn();
    await nextTurn();
    expect(resumed).toEqual(order);
    for (const { socket } of connections) socket.destroy();
  });
});
