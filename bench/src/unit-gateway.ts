import { connectAsync, type MqttClient } from 'mqtt';
import { timed } from './numbers.ts';
import { type BenchGateway, KEY } from './world.ts';

interface Job {
  cmdId: string;
  mac: string;
  /** Of a schedule. */
  crc?: string;
}
interface Down {
  cmdId?: string;
  rev?: number;
  part?: number;
  parts?: number;
  payload?: { macs?: string[] };
  units?: { mac: string; crc: string }[];
}

/** A gateway whose units answer so many a second, each with its report and its acknowledgement, as the protocol has it; or that refuses schedules. */
export interface UnitGateway {
  answered(): number;
  /** Units of the radio a second. */
  setPace(perSecond: number): void;
  /** Reports of these units without any command, a hundred under way at a time; ms until all are acknowledged. */
  report(macs: readonly string[]): Promise<number>;
  close(): Promise<void>;
}

export async function startUnitGateway(
  port: number,
  { mac }: Pick<BenchGateway, 'mac'>,
  { refusesSchedules = false } = {},
): Promise<UnitGateway> {
  const client = await connectAsync(`mqtt://127.0.0.1:${port}`, {
    username: mac,
    password: KEY,
    protocolVersion: 4,
    clientId: mac,
  });
  const publish = (kind: string, body: object) =>
    client.publish(`headrace/v1/${mac}/${kind}`, JSON.stringify(body), { qos: 1 });
  const jobs: Job[] = [];
  client.on('message', (topic, payload) => take(topic.split('/').at(-1) ?? '', JSON.parse(String(payload))));

  function take(kind: string, down: Down): void {
    const { cmdId = '', rev, part, parts, units = [], payload: { macs = [] } = {} } = down;
    if (kind === 'ipc-list' && part === parts) done(`list-${rev}`);
    else if (kind === 'schedules')
      jobs.push(...units.map(({ mac: unit, crc }) => ({ cmdId: `set-${rev}`, mac: unit, crc })));
    else if (kind === 'cmd' && macs.length > 0) jobs.push(...macs.map((unit) => ({ cmdId, mac: unit })));
    else if (cmdId !== '') done(cmdId);
  }
  const done = (cmdId: string, unit?: string) =>
    acknowledge(cmdId, { state: 'done', ...(unit && { mac: unit }) });
  const acknowledge = (cmdId: string, how: object) =>
    publish('up/ack', { cmdId, at: new Date().toISOString(), ...how });

  let answers = 0;
  function answer({ cmdId, mac: unit, crc }: Job): void {
    answers += 1;
    if (crc && refusesSchedules) {
      acknowledge(cmdId, { state: 'failed', mac: unit, error: 'refused' });
      return;
    }
    publish('up/ipc', { items: [{ ...itemOf(unit, answers - 1), ...(crc && { ipcCrc: crc }) }] });
    done(cmdId, unit);
  }
  let pace = 50;
  let from = { at: performance.now(), answers: 0 };
  const beat = setInterval(() => {
    const due = from.answers + Math.floor(((performance.now() - from.at) / 1000) * pace);
    for (const job of jobs.splice(0, Math.max(0, due - answers))) answer(job);
    // Time without work isn't made up for.
    if (jobs.length === 0) from = { at: performance.now(), answers };
  }, 10);

  await introduce(client, mac, publish);
  return {
    answered: () => answers,
    setPace(perSecond) {
      pace = perSecond;
      from = { at: performance.now(), answers };
    },
    report: (macs) =>
      timed(async () => {
        for (let from = 0; from < macs.length; from += 100)
          await Promise.all(
            macs.slice(from, from + 100).map((unit, index) => {
              const body = JSON.stringify({ items: [itemOf(unit, index)] });
              return client.publishAsync(`headrace/v1/${mac}/up/ipc`, body, { qos: 1 });
            }),
          );
      }),
    async close() {
      clearInterval(beat);
      await client.endAsync();
    },
  };
}

function itemOf(mac: string, n: number) {
  const at = new Date().toISOString();
  return { mac, at, charge: 60 + (n % 40), clock: n % 5, hops: 1 + (n % 4), polledAt: at, valve: 'closed' };
}

async function introduce(
  client: MqttClient,
  mac: string,
  publish: (kind: string, body: object) => void,
): Promise<void> {
  await client.subscribeAsync(`headrace/v1/${mac}/down/#`, { qos: 1 });
  publish('state', { online: true, at: new Date().toISOString() });
  publish('up/hello', {
    serialNumber: 'BENCH',
    type: 0,
    bootId: 'bench-1',
    at: new Date().toISOString(),
    supports: ['priority', 'seq', 'within', 'cycleLen'],
  });
}
