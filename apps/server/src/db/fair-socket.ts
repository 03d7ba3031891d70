import { Socket } from 'node:net';

/** How long answers of the database are taken in while others wait, ms. */
const TURN_MS = 4;

/** When this turn's first piece of an answer came; of all connections together. */
let begun: number | null = null;
const paused = new Set<Socket>();

/**
 * To the database. A long answer comes in pieces of 64 KB, of which the driver makes hundreds of rows each, and the system may hand over 32 of
 * them before anybody else is served. This one takes pieces for a moment, and the rest when others have had their turn.
 */
export function fairSocket(): Socket {
  const socket = new Socket();
  socket.on('data', () => {
    if (begun === null) {
      begun = performance.now();
      setImmediate(endTurn);
    } else if (performance.now() - begun > TURN_MS) {
      paused.add(socket.pause());
    }
  });
  return socket;
}

function endTurn(): void {
  begun = null;
  for (const socket of paused) socket.resume();
  paused.clear();
}
