import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readCommandLine } from './options.ts';
import { type Simulator, startSimulator } from './simulator.ts';
import { createStateStore } from './state-store.ts';
import { startBroker } from './testing/broker.ts';

const inc = '0004A30000900001';
const unit = '00158D0000900001';
const repeater = '0013A20000900001';
const tank = '70B3D50000900001';
const site = {
  name: 'Tui Flat',
  timeZone: 'Pacific/Auckland',
  location: { lat: -43.6, lng: 171.7 },
  gateways: [{ name: 'Shed', serialNumber: 'INC1', mac: inc, type: 0, key: 'shown-once-on-the-page' }],
  sprinklers: [{ name: 'A1', serialNumber: 'IPC1', mac: unit }],
  repeaters: [{ name: 'R1', serialNumber: 'RPT1', mac: repeater }],
  tanks: [
    {
      name: 'House',
      serialNumber: 'TLM1',
      mac: tank,
      type: 100,
      settings: { offset: 0, height: 3000, toplevel: 3000, volume: 30_000 },
      reportEverySeconds: 1,
    },
  ],
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headrace-site-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let simulator: Simulator | undefined;
let broker: Awaited<ReturnType<typeof startBroker>> | undefined;
afterEach(async () => {
  await simulator?.stop();
  await broker?.stop();
});

const written = async (content: unknown): Promise<string> => {
  const path = join(folder, 'site.json');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const lineOf = async (content: unknown) => readCommandLine(['--site', await written(content)], {});

describe('a farm that was made by hand', () => {
  it('signs in with its own key, holds no list until it is sent one, and then its units speak', async () => {
    broker = await startBroker((name) => (name === inc ? 'shown-once-on-the-page' : undefined));
    const { farms, keys } = await lineOf(site);
    const quiet = { info: () => undefined, warn: () => undefined };
    simulator = await startSimulator({
      url: broker.url,
      secret: '',
      keys,
      farms,
      seed: 1,
      speed: 1,
      backfillDays: 0,
      store: createStateStore(join(folder, 'state'), 1),
      log: quiet,
      radio: { ackDelayMs: 0, unitDelayMs: 0, radioLoss: 0 },
    });
    const { heard, until } = broker;
    await until(() => heard.some(({ message }) => message.kind === 'sensor'));
    expect(heard.find(({ message }) => message.kind === 'hello')?.message).toMatchObject({
      body: { serialNumber: 'INC1', listRev: 0 },
    });
    expect(heard.filter(({ message }) => message.kind === 'ipc' || message.kind === 'repeater')).toEqual([]);
    await broker.tell(inc, 'ipc-list', {
      rev: 3,
      part: 1,
      parts: 1,
      farmId: '01:01',
      channel: 1,
      ipcs: [{ mac: unit, name: 'A1', serialNumber: 'IPC1', farmId: '01:01', channel: 1, commsMode: 1 }],
      repeaters: [{ mac: repeater, name: 'R1', serialNumber: 'RPT1' }],
    });
    await until(() => heard.some(({ message }) => message.kind === 'repeater'));
    const told = (kind: string) => heard.filter(({ message }) => message.kind === kind);
    expect(told('ipc')[0]?.message).toMatchObject({ items: [{ mac: unit }] });
    expect(told('repeater')[0]?.message).toMatchObject({ items: [{ mac: repeater }] });
    expect(broker.faults).toEqual([]);
  });

  it.each([
    ['{', /is not JSON/],
    [{ ...site, gateways: [] }, /gateways/],
    [{ ...site, sprinklers: [{ name: 'A1', serialNumber: '1', mac: 'no' }] }, /sprinklers\/0\/mac/],
  ])('is refused with what is wrong with its file %#', async (content, problem) => {
    await expect(lineOf(content)).rejects.toThrow(problem);
  });

  it('needs no secret of the demo and has no past', async () => {
    expect(await lineOf(site)).toMatchObject({ secretFile: null, backfillDays: 0 });
  });
});
