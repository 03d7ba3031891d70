import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync, type MqttClient } from 'mqtt';
import WebSocket from 'ws';
import { type BenchGateway, KEY } from './world.ts';

interface Order {
  url: string;
  port: number;
  accounts: { email: string; gateways: BenchGateway[] }[];
  sockets: number;
  seconds: number;
  perSecond: number;
}

process.once('message', (order: Order) => {
  void run(order).then((result) => process.send?.(result, () => process.exit(0)));
});

async function run(order: Order): Promise<{ delays: number[]; sent: number }> {
  const sentAt = new Map<string, number>();
  const delays: number[] = [];
  for (const account of order.accounts) {
    const token = await signIn(order.url, account.email);
    for (let socket = 0; socket < order.sockets / order.accounts.length; socket += 1) {
      await listen(order.url, token, (key) => {
        const start = sentAt.get(key);
        if (start !== undefined) delays.push(performance.now() - start);
      });
    }
  }
  const gateways = order.accounts.flatMap((account) => account.gateways);
  const clients = await Promise.all(
    gateways.map((gateway) =>
      connectAsync(`mqtt://127.0.0.1:${order.port}`, {
        username: gateway.mac,
        password: KEY,
        protocolVersion: 4,
        clientId: gateway.mac,
      }),
    ),
  );
  const sent = await publishEvenly(order, gateways, clients, sentAt);
  await sleep(3000);
  return { delays, sent };
}

async function signIn(url: string, email: string): Promise<string> {
  const reply = await fetch(`${url}/v1/account/auth`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', deviceuid: randomUUID() },
    body: JSON.stringify({ email, password: 'bench-password' }),
  });
  return ((await reply.json()) as { token: string }).token;
}

async function listen(url: string, token: string, heard: (key: string) => void): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/live`, token);
  socket.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as { type: string; data: { uid: string; updatedAt: string } };
    if (frame.type === 'status_update') heard(`${frame.data.uid} ${frame.data.updatedAt}`);
  });
  await once(socket, 'open');
}

/** One tank a message, in small bursts every 10 ms. */
async function publishEvenly(
  order: Order,
  gateways: BenchGateway[],
  clients: MqttClient[],
  sentAt: Map<string, number>,
): Promise<number> {
  const total = order.seconds * order.perSecond;
  const start = performance.now();
  let sent = 0;
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * order.perSecond));
    for (; sent < due; sent += 1) {
      const index = sent % gateways.length;
      const gateway = gateways[index];
      const sensor = Math.floor(sent / gateways.length) % 50;
      const at = new Date().toISOString();
      sentAt.set(`${gateway?.sensorUids[sensor]} ${at}`, performance.now());
      const payload = JSON.stringify({
        items: [{ mac: gateway?.sensorMacs[sensor], at, values: { levelMm: 1000 + (sent % 500) } }],
      });
      clients[index]?.publish(`headrace/v1/${gateway?.mac}/up/sensor`, payload, { qos: 1 });
    }
    await sleep(10);
    if (performance.now() - start > (order.seconds + 20) * 1000) break;
  }
  return sent;
}
