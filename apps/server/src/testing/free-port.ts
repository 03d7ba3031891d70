import { createServer } from 'node:net';

/** Below the ports that systems give to who asks for any, and those that embedded databases take: nobody else is given one of these before it is listened on. And above the last that `fetch` refuses to call, 10,080. */
const FIRST = 10_081;
const COUNT = 9_900;
let next = Math.floor(Math.random() * COUNT);

/** A port of this machine that nobody listens on, and another each time. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = FIRST + (next++ % COUNT);
    if (await isFree(port)) return port;
  }
  throw new Error(`No port is free among a hundred below ${FIRST + COUNT}`);
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
