import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GatewayProfile } from '@headrace/demo/profile';
import { afternoon, type Field, hour, liveField, rakaia, sensorNamed } from './testing/field.ts';

let fields: Field[] = [];
const run = (speed: number) => {
  const field = liveField({ speed });
  fields.push(field);
  return {
    ...field,
    of: (name: string) => field.sensors(sensorNamed(name)),
    items: () =>
      field.said.flatMap(({ message, sentAt }) =>
        message.kind === 'sensor' ? message.items.map((item) => ({ ...item, sentAt })) : [],
      ),
    kinds: () => field.said.map(({ message }) => message.kind),
  };
};

beforeEach(() => {
  vi.useFakeTimers({ now: afternoon });
});
afterEach(() => {
  for (const field of fields) {
    field.stop();
    expect(field.faults).toEqual([]);
  }
  fields = [];
  vi.useRealTimers();
});

describe('a farm in real time', () => {
  it('moves within a minute: six tanks report, and the whole farm tells how it is', async () => {
    const { of, kinds } = run(1);
    await vi.advanceTimersByTimeAsync(61_000);
    const reports = ['Dairy shed', 'House', 'Top header', 'Bore buffer', 'Vat wash', 'Calf shed'].map(
      (name) => of(name).length,
    );
    for (const count of reports) expect(count).toBeGreaterThanOrEqual(1);
    expect(new Set(kinds())).toEqual(new Set(['sensor', 'ipc', 'repeater', 'status', 'io']));
  });

  it('reports as often as it should', async () => {
    const { of } = run(1);
    await vi.advanceTimersByTimeAsync(hour);
    // Every 20 s for an hour, the comms message beside it, less what radio lost.
    expect(of('Dairy shed').length).toBeGreaterThan(150);
    expect(of('Dairy shed').length).toBeLessThanOrEqual(183);
    // Every 5 minutes.
    expect(of('Terrace').length).toBeGreaterThan(8);
    expect(of('Terrace').length).toBeLessThanOrEqual(15);
  });

  it('sends what was missed while the link was down, with its own times', async () => {
    const { items, of, setUp } = run(1);
    await vi.advanceTimersByTimeAsync(600_000);
    setUp(false);
    const downAt = Date.now();
    const before = items().length;
    await vi.advanceTimersByTimeAsync(2 * hour);
    expect(items()).toHaveLength(before);
    setUp(true);
    const upAt = Date.now();
    await vi.advanceTimersByTimeAsync(600_000);
    const late = of('Dairy shed').filter(
      ({ at, sentAt }) => sentAt >= upAt && Date.parse(at) < upAt - 60_000,
    );
    // Every five minutes of two hours.
    expect(late.length).toBeGreaterThan(18);
    expect(late.length).toBeLessThanOrEqual(24);
    expect(Date.parse(late[0]?.at ?? '')).toBeGreaterThan(downAt - 60_000);
    expect(late.map(({ at }) => at)).toEqual(late.map(({ at }) => at).sort());
  });

  it('hears of the silent tank now and then, always five hours late', async () => {
    const { of } = run(1);
    await vi.advanceTimersByTimeAsync(20 * hour);
    const silent = of('Riverbank');
    expect(silent.length).toBeGreaterThan(1);
    for (const { at, sentAt } of silent)
      expect(Math.abs(sentAt - Date.parse(at) - 5 * hour)).toBeLessThan(1000);
    const gaps = silent.slice(1).map(({ at }, index) => Date.parse(at) - Date.parse(silent[index]?.at ?? ''));
    for (const gap of gaps) expect(gap).toBeLessThan(4 * hour);
  });

  it('opens and shuts sprinklers by the plan, and tells when it does', async () => {
    const { kinds, live } = run(1);
    await vi.advanceTimersByTimeAsync(24 * hour);
    // 50 units four times a day in small messages, and ten at a time at every change of the shift.
    expect(kinds().filter((kind) => kind === 'ipc').length).toBeGreaterThan(20);
    expect(live.snapshot().aheadMs).toBe(0);
  });
});

describe('a gateway of each type', () => {
  const [shed] = rakaia.gateways;
  const withType = (type: GatewayProfile['type']) => ({
    ...rakaia,
    gateways: rakaia.gateways.map((gateway) => (gateway === shed ? { ...gateway, type } : gateway)),
  });
  const versions = { firmwareVersion: 412, bootloaderVersion: 103 };
  const lately = { lastRestart: expect.any(String), validMessageCount: expect.any(Number) };
  const ofInc = {
    rtcTime: expect.any(String),
    ipcListSize: expect.any(Number),
    rptrListSize: expect.any(Number),
    schListSize: expect.any(Number),
    commsMaxAttempts: 3,
    commsMaxTTL: 600,
    chargeThreshold: 40,
    clockTreshold: 60,
    statusPeriod: 900,
    timesetPeriod: 86_400,
  };

  it.each([
    ['INC', 0, { settings: ofInc, info: versions, data: lately }],
    ['LORA', 1, { info: versions }],
    ['IMSG_V1', 100, { info: versions }],
    [
      'LSG_V1',
      101,
      {
        settings: { channel: rakaia.radio.channel, spfactor: 10 },
        info: versions,
        data: { ...lately, logFolderSize: expect.any(Number) },
      },
    ],
    ['IMSG_V2', 102, { info: versions }],
  ] as const)('%s says in its status what that type says', async (_name, type, status) => {
    const field = liveField({ profile: withType(type) });
    fields.push(field);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(field.statuses(shed?.mac ?? '').at(-1)).toEqual({ at: expect.any(String), ...status });
  });
});

describe('a farm at speed', () => {
  it('lives a day in 24 seconds at 3600, and stamps nothing with the future', async () => {
    const { items, of, live } = run(3600);
    await vi.advanceTimersByTimeAsync(24_000);
    for (const { at, sentAt } of items()) expect(Date.parse(at)).toBeLessThanOrEqual(sentAt);
    const levels = of('Dairy shed').flatMap(({ values }) => values.levelMm ?? []);
    // Two milkings and two washes: a tank that falls and fills.
    expect(Math.max(...levels) - Math.min(...levels)).toBeGreaterThan(150);
    expect(live.snapshot().aheadMs).toBe(24_000 * 3599);
  });
});
