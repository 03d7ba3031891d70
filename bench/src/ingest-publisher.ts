import { connectAsync } from 'mqtt';
import { type BenchGateway, KEY } from './world.ts';

interface Order {
  port: number;
  gateways: BenchGateway[];
  /** Time of the first round, epoch ms; each round is a minute later. */
  from: number;
  rounds: number;
}

/** Every gateway publishes its rounds, a few in flight, and waits for the last acknowledgement. */
process.once('message', (order: Order) => {
  void run(order).then((ms) => process.send?.({ ms }, () => process.exit(0)));
});

async function run(order: Order): Promise<number> {
  const clients = await Promise.all(
    order.gateways.map((gateway) =>
      connectAsync(`mqtt://127.0.0.1:${order.port}`, {
        username: gateway.mac,
        password: KEY,
        protocolVersion: 4,
        clientId: gateway.mac,
      }),
    ),
  );
  const start = performance.now();
  await Promise.all(
    order.gateways.map(async (gateway, index) => {
      const sending: Promise<unknown>[] = [];
      for (let round = 0; round < order.rounds; round += 1) {
        const payload = message(gateway, order.from + round * 60_000, round);
        sending.push(
          clients[index]?.publishAsync(`headrace/v1/${gateway.mac}/up/sensor`, payload, { qos: 1 }) ??
            Promise.resolve(),
        );
        if (sending.length >= 8) await sending.shift();
      }
      await Promise.all(sending);
    }),
  );
  const ms = performance.now() - start;
  await Promise.all(clients.map((client) => client.endAsync()));
  return ms;
}

function message(gateway: BenchGateway, at: number, round: number): string {
  const time = new Date(at).toISOString();
  const items = gateway.sensorMacs.map((mac, index) => ({
    mac,
    at: time,
    values: { levelMm: 1000 + ((round * 7 + index) % 900) },
  }));
  return JSON.stringify({ items });
}
