import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** What strangers open and then keep waiting. */
export interface Siege {
  mqttPort: number;
  httpPort: number;
  silent: { from: string; count: number };
  slowBodies: { from: string; count: number };
  seconds: number;
}

const STEP_MS = 20;
/** Where the machine is busy the evenness is ours to keep: a burst fills the kernel's queue, which no server can help. */
const MAX_STEP = 50;

process.once('message', (siege: Siege) => {
  void besiege(siege).then((result) => process.send?.(result, () => process.exit(0)));
});

/** Opens them evenly over the time, and says how many could be, and how many the server still has at the end. */
async function besiege(siege: Siege): Promise<{ opened: number; open: number }> {
  const sockets: Socket[] = [];
  let opened = 0;
  const open = (port: number, localAddress: string, text: string) => {
    const socket = connect({ host: '127.0.0.1', port, localAddress });
    socket.on('connect', () => {
      opened += 1;
      if (text) socket.write(text);
    });
    socket.on('error', () => undefined).resume();
    sockets.push(socket);
  };
  const head = `POST /v1/account/auth HTTP/1.1\r\nHost: farm.test\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n{`;
  const start = performance.now();
  const dueOf = (count: number) =>
    Math.min(count, Math.floor((count * (performance.now() - start)) / (siege.seconds * 1000)));
  let [silent, slow] = [0, 0];
  while (silent < siege.silent.count || slow < siege.slowBodies.count) {
    const [toSilent, toSlow] = [dueOf(siege.silent.count), dueOf(siege.slowBodies.count)];
    for (let left = MAX_STEP; silent < toSilent && left > 0; silent += 1, left -= 1)
      open(siege.mqttPort, siege.silent.from, '');
    for (let left = MAX_STEP; slow < toSlow && left > 0; slow += 1, left -= 1)
      open(siege.httpPort, siege.slowBodies.from, head);
    await sleep(STEP_MS);
  }
  await sleep(1000);
  const left = sockets.filter(({ readyState }) => readyState === 'open').length;
  for (const socket of sockets) socket.destroy();
  return { opened, open: left };
}
