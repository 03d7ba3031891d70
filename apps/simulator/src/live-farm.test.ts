import type { SensorItem } from '@headrace/device/messages';
import { demoFarms } from '@headrace/demo/demo-farms';
import type { FarmProfile } from '@headrace/demo/profile';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFarmModel } from './farm-model.ts';
import { createLiveFarm } from './live-farm.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import type { LiveState } from './state-store.ts';

const hourMs = 3_600_000;
const startedAt = Date.UTC(2026, 1, 10, 3);
const [rakaia] = demoFarms() as [FarmProfile];
const farm = createFarmModel(rakaia, 1);
const macOf = (name: string) => farm.sensors.find(({ profile }) => profile.name === name)?.profile.mac ?? '';

/** A farm whose links only write down what is said. */
function liveFarm(speed: number) {
  const items: (SensorItem & { sentAt: number })[] = [];
  const kinds: string[] = [];
  let isUp = true;
  const isReady = () => isUp;
  const stop = () => Promise.resolve();
  const link = {
    isReady,
    stop,
    publish: (kind: string, body: object) => {
      kinds.push(kind);
      if (kind === 'sensor')
        for (const item of (body as { items: SensorItem[] }).items)
          items.push({ ...item, sentAt: Date.now() });
      return Promise.resolve();
    },
  };
  const state: LiveState = {
    aheadMs: 0,
    sensors: Object.fromEntries(
      farm.sensors.map(({ profile, model }) => [profile.mac, model.start(startedAt)]),
    ),
    reportedAt: Object.fromEntries(farm.sensors.map(({ profile }) => [profile.mac, startedAt])),
    units: {},
    tickedAt: startedAt,
    listRevs: {},
    relays: {},
  };
  const links = {
    gateways: new Map(rakaia.gateways.map(({ mac }) => [mac, link])),
    networkServer: { isReady, stop, publish: () => Promise.resolve() },
  };
  const scheduler = createScheduler(Date.now);
  const log = { info: () => undefined, warn: () => undefined };
  const live = createLiveFarm({ farm, links, state, scheduler, speed, now: Date.now, log });
  live.start();
  return {
    items,
    kinds,
    live,
    scheduler,
    setUp: (up: boolean) => {
      isUp = up;
    },
    of: (name: string) => items.filter(({ mac }) => mac === macOf(name)),
  };
}

let schedulers: Scheduler[] = [];
const run = (speed: number) => {
  const one = liveFarm(speed);
  schedulers.push(one.scheduler);
  return one;
};

beforeEach(() => {
  vi.useFakeTimers({ now: startedAt });
});
afterEach(() => {
  for (const scheduler of schedulers) scheduler.stop();
  schedulers = [];
  vi.useRealTimers();
});

describe('a farm in real time', () => {
  it('moves within a minute: six tanks report, and the whole farm tells how it is', async () => {
    const { items, kinds } = run(1);
    await vi.advanceTimersByTimeAsync(61_000);
    const reports = ['Dairy shed', 'House', 'Top header', 'Bore buffer', 'Vat wash', 'Calf shed'].map(
      (name) => items.filter(({ mac }) => mac === macOf(name)).length,
    );
    for (const count of reports) expect(count).toBeGreaterThanOrEqual(1);
    expect(new Set(kinds)).toEqual(new Set(['sensor', 'ipc', 'repeater', 'status', 'io']));
  });

  it('reports as often as it should', async () => {
    const { of } = run(1);
    await vi.advanceTimersByTimeAsync(hourMs);
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
    const before = items.length;
    await vi.advanceTimersByTimeAsync(2 * hourMs);
    expect(items).toHaveLength(before);
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
    await vi.advanceTimersByTimeAsync(20 * hourMs);
    const silent = of('Riverbank');
    expect(silent.length).toBeGreaterThan(1);
    for (const { at, sentAt } of silent)
      expect(Math.abs(sentAt - Date.parse(at) - 5 * hourMs)).toBeLessThan(1000);
    const gaps = silent.slice(1).map(({ at }, index) => Date.parse(at) - Date.parse(silent[index]?.at ?? ''));
    for (const gap of gaps) expect(gap).toBeLessThan(4 * hourMs);
  });

  it('opens and shuts sprinklers by the plan, and tells when it does', async () => {
    const { kinds, live } = run(1);
    await vi.advanceTimersByTimeAsync(24 * hourMs);
    // 50 units four times a day in small messages, and ten at a time at every change of the shift.
    expect(kinds.filter((kind) => kind === 'ipc').length).toBeGreaterThan(20);
    expect(live.snapshot().aheadMs).toBe(0);
  });
});

describe('a farm at speed', () => {
  it('lives a day in 24 seconds at 3600, and stamps nothing with the future', async () => {
    const { items, of, live } = run(3600);
    await vi.advanceTimersByTimeAsync(24_000);
    for (const { at, sentAt } of items) expect(Date.parse(at)).toBeLessThanOrEqual(sentAt);
    const levels = of('Dairy shed').flatMap(({ values }) => values.levelMm ?? []);
    // Two milkings and two washes: a tank that falls and fills.
    expect(Math.max(...levels) - Math.min(...levels)).toBeGreaterThan(150);
    expect(live.snapshot().aheadMs).toBe(24_000 * 3599);
  });
});
