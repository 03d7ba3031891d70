import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { decodeGatewayMessage, type GatewayMessage } from '@headrace/device/decode';
import { decodeUplink, type NetworkUplink } from '@headrace/device/decode-uplink';
import { gatewayDownTopic, type GatewayDownKind, parseTopic } from '@headrace/device/topics';
import { Aedes } from 'aedes';

type Heard = { mac: string; message: GatewayMessage };

/** A bare broker that hears all devices, tells them the time, lets in those whose password fits and remembers what the agreement doesn't allow. */
export async function startBroker(passwordOf: (username: string) => string | undefined) {
  const heard: Heard[] = [];
  const uplinks: NetworkUplink[] = [];
  const events: { devEui: string; event: string; body: object }[] = [];
  const faults: string[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  const broker = await Aedes.createBroker({
    authenticate: (_client, username, password, done) => {
      const isRight = username !== undefined && passwordOf(username) === password?.toString();
      done(isRight ? null : Object.assign(new Error('wrong key'), { returnCode: 4 }), isRight);
    },
  });
  broker.on('publish', (packet, client) => {
    const topic = parseTopic(packet.topic);
    if (!topic) {
      if (!packet.topic.startsWith('$SYS')) faults.push(packet.topic);
      return;
    }
    take(topic, packet.payload as Buffer, client === null);
    for (const wake of waiting) wake();
  });

  function take(topic: NonNullable<ReturnType<typeof parseTopic>>, payload: Buffer, isOurs: boolean): void {
    switch (topic.transport) {
      case 'gateway': {
        const decoded = decodeGatewayMessage(topic.kind, payload);
        if (!decoded.ok || decoded.problems.length > 0) faults.push(JSON.stringify(decoded));
        else {
          heard.push({ mac: topic.mac, message: decoded.message });
          if (topic.kind === 'hello')
            void tell(topic.mac, 'time', { utc: new Date().toISOString(), offsetSeconds: 46_800 });
        }
        return;
      }
      case 'gateway-down':
        if (!isOurs) faults.push('a device spoke under down/');
        return;
      case 'chirpstack':
      case 'the-things-stack': {
        if (topic.event !== 'up') {
          events.push({
            devEui: topic.transport === 'chirpstack' ? topic.devEui : '',
            event: topic.event,
            body: JSON.parse(payload.toString()) as object,
          });
          return;
        }
        const decoded = decodeUplink(topic, payload);
        if (decoded.ok) uplinks.push(decoded.uplink);
        else faults.push(decoded.reason);
        return;
      }
      default:
        topic satisfies never;
    }
  }

  async function tell(mac: string, kind: GatewayDownKind, body: object): Promise<void> {
    const packet = {
      cmd: 'publish',
      topic: gatewayDownTopic(mac, kind),
      payload: JSON.stringify(body),
      qos: 1,
    } as const;
    await new Promise<void>((resolve, reject) => {
      broker.publish({ ...packet, dup: false, retain: false }, (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    broker.handle(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    uplinks,
    events,
    faults,
    /** Resolves when `find` finds something in what has been heard. */
    until: async <T>(find: () => T | undefined | false, withinMs = 20_000): Promise<T> => {
      const deadline = Date.now() + withinMs;
      for (;;) {
        const found = find();
        if (found !== undefined && found !== false) return found;
        if (Date.now() > deadline) throw new Error(`not heard in time: ${find.toString()}`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(wake, 100);
          function wake(): void {
            clearTimeout(timer);
            waiting.delete(wake);
            resolve();
          }
          waiting.add(wake);
        });
      }
    },
    tell,
    cut: (): void => {
      for (const socket of sockets) socket.destroy();
    },
    stop: async (): Promise<void> => {
      await new Promise<void>((resolve) => {
        broker.close(() => resolve());
      });
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
export type TestBroker = Awaited<ReturnType<typeof startBroker>>;
