import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import { demoFarms } from '@headrace/demo/demo-farms';
import { deviceKey, integrationKey, integrationUserName } from '@headrace/demo/device-key';
import type { FarmProfile } from '@headrace/demo/profile';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runFaultCommand } from './control/fault-command.ts';
import { startSimulator, type Simulator } from './simulator.ts';
import { createStateStore } from './state-store.ts';
import type { FarmState } from './state.ts';
import { startBroker, type TestBroker } from './testing/broker.ts';

const secret = 'a secret for tests';
const seed = 1;
const [rakaia] = demoFarms() as [FarmProfile];
const inc = rakaia.gateways.find(({ type }) => type === 0)?.mac ?? '';
const lora = rakaia.gateways.find(({ type }) => type === 1)?.mac ?? '';
const quiet = { info: () => undefined, warn: () => undefined };
const unitNamed = (name: string) => rakaia.sprinklers.find((unit) => unit.name === name)?.mac ?? '';
const sensorNamed = (name: string) => rakaia.sensors.find((sensor) => sensor.name === name)?.mac ?? '';

let broker: TestBroker;
let directory: string;
let simulator: Simulator;
/** Epoch ms. */
let startedAt: number;

const optionsFor = (url: string) => ({
  url,
  secret,
  seed,
  speed: 1,
  farms: [rakaia],
  log: quiet,
  controlPort: 0,
  radio: { ackDelayMs: 20, unitDelayMs: 40, radioLoss: 0 },
});
const start = (more: { backfillDays?: number; checkpointEveryMs?: number; stateDir?: string } = {}) =>
  startSimulator({
    ...optionsFor(broker.url),
    backfillDays: more.backfillDays ?? 3,
    store: createStateStore(more.stateDir ?? directory, seed),
    checkpointEveryMs: more.checkpointEveryMs ?? 30_000,
  });

const sensorItems = () =>
  broker.heard.flatMap(({ message }) => (message.kind === 'sensor' ? message.items : []));
const ipcItems = () => broker.heard.flatMap(({ message }) => (message.kind === 'ipc' ? message.items : []));
const acks = (cmdId: string) =>
  broker.heard.flatMap(({ message }) =>
    message.kind === 'ack' && message.body.cmdId === cmdId ? [message.body] : [],
  );
const settled = (cmdId: string) =>
  broker.until(() => acks(cmdId).find(({ state }) => state === 'done' || state === 'failed'));
const inTenMinutes = () => new Date(Date.now() + 600_000).toISOString();
const command = (cmdId: string, type: number, more: object = {}) => ({
  cmdId,
  type,
  payload: {},
  expiresAt: inTenMinutes(),
  ...more,
});

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'headrace-simulator-'));
  broker = await startBroker((username) =>
    username === integrationUserName(rakaia.key)
      ? integrationKey(secret, rakaia.name)
      : deviceKey(secret, username),
  );
  startedAt = Date.now();
  simulator = await start();
});

afterAll(async () => {
  await simulator.stop();
  await broker.stop();
  await rm(directory, { recursive: true, force: true });
});

describe('a farm that speaks', () => {
  it('says that it is online, then hello, from every gateway', async () => {
    for (const mac of [inc, lora]) {
      await broker.until(() => broker.heard.some((one) => one.mac === mac && one.message.kind === 'hello'));
      const own = broker.heard.filter((one) => one.mac === mac).map(({ message }) => message);
      expect(own[0]).toMatchObject({ kind: 'state', body: { online: true } });
      expect(own[1]).toMatchObject({
        kind: 'hello',
        body: { type: mac === inc ? 0 : 1, supports: ['priority', 'seq', 'within', 'cycleLen'] },
      });
    }
  });

  it('tells three days of history, every reading with its own time, tanks first and oldest first', async () => {
    await simulator.history;
    const terrace = sensorItems().filter(({ mac }) => mac === sensorNamed('Terrace'));
    const past = terrace.filter(({ at }) => Date.parse(at) < Date.now() - 1_800_000);
    // 48 half hours a day, less what radio lost.
    expect(past.length).toBeGreaterThan(110);
    expect(past.length).toBeLessThanOrEqual(144);
    expect(new Set(past.map(({ at }) => at)).size).toBe(past.length);
    // What they say now comes in between.
    const order = sensorItems()
      .filter(({ at }) => Date.parse(at) < startedAt)
      .map(({ mac }) => mac);
    expect(order.lastIndexOf(past[0]?.mac ?? '')).toBeGreaterThan(-1);
    expect(order.indexOf(sensorNamed('Line A soil'))).toBeGreaterThan(order.indexOf(sensorNamed('Terrace')));
  });

  it('goes on with readings of now', async () => {
    const now = Date.now();
    const fresh = await broker.until(() => sensorItems().find(({ at }) => Date.parse(at) >= now), 30_000);
    expect(Date.parse(fresh.at)).toBeLessThanOrEqual(Date.now());
  }, 40_000);

  it('passes the LoRaWAN tank through the network server', async () => {
    const uplink = await broker.until(() => broker.uplinks[0]);
    expect(uplink.devEui).toBe(sensorNamed('Terrace spring'));
    expect(uplink.object).toHaveProperty('water_level.value');
    expect(sensorItems().some(({ mac }) => mac === uplink.devEui)).toBe(false);
    expect(broker.events[0]).toMatchObject({ devEui: uplink.devEui, event: 'join' });
    expect(uplink.fCnt).toBe(0);
  });

  it('says nothing that the agreement does not allow', () => {
    expect(broker.faults).toEqual([]);
  });
});

describe('commands', () => {
  it('are accepted, then done, and a valve that was opened tells so', async () => {
    const mac = unitNamed('A01');
    await broker.tell(inc, 'cmd', command('open-1', 2, { mac, maxOpenMinutes: 30 }));
    await settled('open-1');
    expect(acks('open-1').map(({ state }) => state)).toEqual(['accepted', 'done']);
    expect(await broker.until(() => ipcItems().findLast((item) => item.mac === mac))).toMatchObject({
      valve: 'open',
    });
    await broker.tell(inc, 'cmd', command('shut-1', 3, { mac }));
    await settled('shut-1');
    await broker.until(() => ipcItems().findLast((item) => item.mac === mac)?.valve === 'closed');
  });

  it('inhibit and release a sprinkler, which shows in its CRC', async () => {
    const mac = unitNamed('B02');
    const crc = () => ipcItems().findLast((item) => item.mac === mac)?.ipcCrc;
    const planned = await broker.until(crc);
    await broker.tell(inc, 'cmd', command('inhibit-1', 4, { mac }));
    await broker.until(() => crc() === inhibitedCrc);
    await broker.tell(inc, 'cmd', command('release-1', 5, { mac }));
    await broker.until(() => crc() === planned);
  });

  it('are carried out once, answered again with the last answer, and not done after their time', async () => {
    const mac = unitNamed('C05');
    await broker.tell(inc, 'cmd', command('once', 1, { mac }));
    await settled('once');
    await broker.tell(inc, 'cmd', command('once', 1, { mac }));
    await broker.tell(inc, 'cmd', {
      ...command('late', 1, { mac }),
      expiresAt: new Date(Date.now() - 1000).toISOString(),
    });
    await broker.tell(inc, 'cmd', command('after', 23));
    await settled('after');
    await broker.until(() => acks('once').length === 3);
    expect(acks('once').map(({ state }) => state)).toEqual(['accepted', 'done', 'done']);
    expect(acks('once')[2]).toEqual(acks('once')[1]);
    expect(acks('late')).toEqual([]);
  });

  it('go by the clock that the server set', async () => {
    await broker.tell(inc, 'time', {
      utc: new Date(Date.now() + 3_600_000).toISOString(),
      offsetSeconds: 46_800,
    });
    await broker.tell(inc, 'cmd', command('stale-by-its-clock', 23));
    await broker.tell(inc, 'time', { utc: new Date().toISOString(), offsetSeconds: 46_800 });
    await broker.tell(inc, 'cmd', command('in-time', 23));
    await settled('in-time');
    expect(acks('stale-by-its-clock')).toEqual([]);
  });

  it('fail when the unit does not answer', async () => {
    await broker.tell(inc, 'cmd', command('deaf', 1, { mac: unitNamed('E10') }));
    expect(await settled('deaf')).toMatchObject({
      state: 'failed',
      error: 'no answer from the unit after 3 attempts',
    });
  });

  it('toggle a relay', async () => {
    await broker.tell(inc, 'cmd', command('relay', 24, { payload: { relay: 5, set: true } }));
    await settled('relay');
    const io = broker.heard.findLast(({ message }) => message.kind === 'io')?.message;
    expect(io?.kind === 'io' && io.body.relays[4]).toBe(true);
  });

  it('set pump control of a tank, which reports it back', async () => {
    const mac = sensorNamed('Top header');
    const config = { highSetpoint: 88, lowSetpoint: 33, relayControl: true, maxRunTime: 90 };
    await broker.tell(lora, 'config', {
      configId: 'config-1',
      mac,
      configType: 'LegacyTlm_PumpControl',
      config,
    });
    expect(await settled('config-1')).toMatchObject({ state: 'done', mac });
    await broker.until(() =>
      sensorItems().some((item) => item.mac === mac && item.values.lowSetpoint === 33),
    );
    await broker.tell(lora, 'config', {
      configId: 'config-2',
      mac: sensorNamed('Terrace'),
      configType: 'D100_PumpControl',
      config,
    });
    expect(await settled('config-2')).toMatchObject({ state: 'failed', error: 'sensor has no pump' });
  });

  it('acknowledge a list of units when its last part is in', async () => {
    const ipcs = rakaia.sprinklers.map(({ mac, name, serialNumber, farmId, channel, commsMode }) => ({
      mac,
      name,
      serialNumber,
      farmId,
      channel,
      commsMode,
    }));
    const part = { rev: 7, parts: 2, farmId: '01:01', channel: 3, ipcs, repeaters: [] };
    await broker.tell(inc, 'ipc-list', { ...part, part: 1 });
    await broker.tell(inc, 'cmd', command('between', 23));
    await settled('between');
    expect(acks('list-7')).toEqual([]);
    await broker.tell(inc, 'ipc-list', { ...part, part: 2, ipcs: [] });
    await settled('list-7');
  });

  it('that make no sense are left alone', async () => {
    await broker.tell(inc, 'cmd', { cmdId: 'odd', type: 99 });
    await broker.tell(inc, 'cmd', command('still-here', 23));
    await settled('still-here');
    expect(acks('odd')).toEqual([]);
  });
});

describe('a broken link', () => {
  it('is told by the will, and mended by itself, with hello again', async () => {
    const states = () =>
      broker.heard.flatMap(({ mac, message }) =>
        mac === inc && message.kind === 'state' ? [message.body.online] : [],
      );
    const hellos = () =>
      broker.heard.filter(({ mac, message }) => mac === inc && message.kind === 'hello').length;
    const before = hellos();
    broker.cut();
    await broker.until(() => states().at(-1) === false);
    await broker.until(() => hellos() > before && states().at(-1) === true);
  });
});

describe('a gateway', () => {
  const hellos = () =>
    broker.heard.flatMap(({ mac, message }) =>
      mac === inc && message.kind === 'hello' ? [message.body] : [],
    );
  const isOnline = () =>
    broker.heard.findLast(({ mac, message }) => mac === inc && message.kind === 'state')?.message;

  it('restarts for new firmware: offline, hello with another boot, and then done', async () => {
    const before = hellos().at(-1);
    await broker.tell(inc, 'cmd', command('firmware', 11));
    await settled('firmware');
    const after = hellos().at(-1);
    expect(after?.bootId).not.toBe(before?.bootId);
    expect(after?.firmwareVersion).toBe((before?.firmwareVersion ?? 0) + 1);
    const order = broker.heard.flatMap(({ mac, message }) =>
      mac === inc && (message.kind === 'hello' || (message.kind === 'ack' && message.body.state === 'done'))
        ? [message.kind]
        : [],
    );
    expect(order.slice(-2)).toEqual(['hello', 'ack']);
  });

  it('is down on demand over the control port: offline by the will, until it is cleared', async () => {
    const ask = (kind: string) =>
      runFaultCommand([inc, kind, '--control-port', String(simulator.controlPort)], {});
    await ask('gateway-down');
    await broker.until(
      () => isOnline()?.kind === 'state' && !(isOnline() as { body: { online: boolean } }).body.online,
    );
    const before = hellos().length;
    await ask('clear');
    await broker.until(() => hellos().length === before + 1);
    const state = (await (await fetch(`http://127.0.0.1:${simulator.controlPort}/state`)).json()) as object;
    expect(state).toMatchObject({ farms: 1, gateways: 2, faults: [] });
  });
});

describe('state between runs', () => {
  const stateIn = async (folder: string) =>
    JSON.parse(await readFile(join(folder, `${rakaia.key}.json`), 'utf8')) as FarmState;

  it('remembers what was set, and tells no history twice', async () => {
    await simulator.stop();
    expect(await stateIn(directory)).toMatchObject({
      backfill: null,
      live: { gateways: { [inc]: { list: { rev: 7 } } } },
    });
    const heardBefore = broker.heard.length;
    simulator = await start();
    await simulator.history;
    await broker.until(() =>
      broker.heard
        .slice(heardBefore)
        .some(({ message }) => message.kind === 'hello' && message.body.listRev === 7),
    );
    const again = broker.heard
      .slice(heardBefore)
      .flatMap(({ message }) => (message.kind === 'sensor' ? message.items : []));
    expect(again.filter(({ at }) => Date.parse(at) < Date.now() - 600_000 - 5 * 3_600_000)).toEqual([]);
  });

  it('picks history up where it was stopped, so that in the end all of it was told', async () => {
    await simulator.stop();
    const folder = join(directory, 'interrupted');
    const terrace = sensorNamed('Terrace');
    const heardBefore = broker.heard.length;
    const since = () =>
      broker.heard
        .slice(heardBefore)
        .flatMap(({ message }) => (message.kind === 'sensor' ? message.items : []));
    simulator = await start({ backfillDays: 300, checkpointEveryMs: 5, stateDir: folder });
    await broker.until(() => since().length > 3000);
    await simulator.stop();
    const stopped = await stateIn(folder);
    expect(stopped.backfill).not.toBeNull();
    const reportedBefore = since().length;
    simulator = await start({ backfillDays: 300, stateDir: folder });
    await simulator.history;
    const late = since().filter(
      ({ mac, at }) => mac === terrace && Date.parse(at) <= (stopped.backfill?.end ?? 0),
    );
    const times = new Set(late.map(({ at }) => at));
    // 270 days of hours and 30 of half hours, less what radio lost; hardly anything told twice.
    expect(times.size).toBeGreaterThan(270 * 24 + 30 * 48 - 600);
    expect(late.length - times.size).toBeLessThan(200);
    expect(reportedBefore).toBeGreaterThan(3000);
    expect(broker.faults).toEqual([]);
  }, 120_000);
});

describe('stopping', () => {
  it('has an end when the broker is gone, whatever waits for it', async () => {
    const lonely = await startBroker((username) => deviceKey(secret, username));
    const one = await startSimulator({
      ...optionsFor(lonely.url),
      backfillDays: 3,
      store: createStateStore(join(directory, 'lonely'), seed),
    });
    await lonely.until(() => lonely.heard.length > 20);
    lonely.cut();
    await lonely.stop();
    // Without it the test would run out of time.
    await one.stop();
  });
});
