import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DiaryLog, DiaryPage } from '@headrace/contract/irr-diary';
import type { CommandName } from '@headrace/contract/command-types';
import type { IpcItem } from '@headrace/device/messages';
import { simulateFarm } from '../../testing/simulated-farm.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** What simulated sprinklers did for a month, told to the server as gateways tell it, beside what the diary says of it. */
let kit: CommandsKit;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());

const MINUTE = 60_000;
const DAYS = 31;
const UNITS = 12;
/** Of a hundred reports. */
const LOST = 5;

/**
 * The farm's noon on the first day; each month has a change of New Zealand's clock in its middle. Six sprinklers water on each of 31 nights;
 * six in the evening of the first day of two and in the morning of the second: on 15 of each, or on 16 where the month begins with a first
 * (19 March 2027 is day 20,896).
 */
const months = [
  ['spring', '2026-09-11T00:00:00Z', { start: '11-09-2026', stop: '12-10-2026', skipped: 60, turns: 366 }],
  ['autumn', '2027-03-18T23:00:00Z', { start: '19-03-2027', stop: '19-04-2027', skipped: -60, turns: 378 }],
] as const;

/** What people did: a Valve On, two nights of one sprinkler inhibited and of one held, a Valve Off. */
const asked = { 'by hand': 1, 'missed inhibited': 2, 'missed held': 2, 'short valveOff': 1 };

// Some seconds on a machine that does nothing else.
describe.each(months)('a month with the clock change of %s', { timeout: 240_000 }, (_, noon, days) => {
  it('is in the diary minute by minute as valves were, where every report came', async () => {
    const { truth, logs, driver } = await simulate(noon, 0, days);
    expect([...differences(truth, logs, driver)]).toEqual([]);
    expect(counted(logs)).toEqual({ ...asked, watered: days.turns - 5 });
  });

  it('with one report of twenty lost has nothing wrong: what differs is not known, or its end was not heard', async () => {
    const { truth, logs, driver } = await simulate(noon, LOST, days);
    const isNotified = ({ unit, at }: { unit: string; at: number }) =>
      logs.some((log) => log.sprinkler === unit && (isUnsure(log) ? isOver(log, at) : isNear(log, at)));
    expect([...differences(truth, logs, driver)].filter((one) => !isNotified(one))).toEqual([]);
    const unsure = logs.filter(isUnsure);
    const silent = unsure.filter(({ outcome }) => outcome === 'not known').length;
    expect(silent).toBeGreaterThan(5);
    expect(unsure.length - silent).toBeGreaterThan(5);
    const sure = counted(logs.filter((log) => !isUnsure(log)));
    expect(sure).toEqual({ ...asked, watered: days.turns - 5 - unsure.length });
  });
});

/** Entries by outcome and reason. */
function counted(logs: readonly DiaryLog[]): Record<string, number> {
  const keys = logs.map(({ outcome, reasons }) => [outcome, ...reasons.map(({ code }) => code)].join(' '));
  return Object.fromEntries([...new Set(keys)].map((key) => [key, keys.filter((one) => one === key).length]));
}

/** When each sprinkler's valve was open, in the middle of minutes: epoch ms by its name. */
type Truth = ReadonlyMap<string, ReadonlySet<number>>;

interface Days {
  start: string;
  stop: string;
  /** Minutes that the change takes from the month. */
  skipped: number;
}

async function simulate(noon: string, lost: number, { start, stop, skipped }: Days) {
  kit.clock.now = new Date(noon);
  const driver = await kit.farm({ units: UNITS });
  const nameOf = new Map(driver.units.map(({ mac, name }) => [mac, name]));
  const truth = new Map(driver.units.map(({ name }) => [name, new Set<number>()]));
  const farm = simulateFarm(kit, driver, {
    isHeard: drawn(lost, driver),
    onMinute: (at, open) => {
      for (const mac of open) truth.get(nameOf.get(mac) ?? '')?.add(at);
    },
  });
  /** A session lasts days. */
  async function order(name: CommandName, request: object) {
    const reply = await driver.send(name, request, await kit.server.signIn(driver.owner));
    expect(reply.statusCode, reply.body).toBe(200);
  }
  async function post(key: string, body: object): Promise<{ uid: string }> {
    const headers = await kit.server.signIn(driver.owner);
    const reply = await kit.server.call(key, { headers, body: { farmUID: driver.farm.uid, ...body } });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json();
  }
  await driver.hello();
  const unit = (index: number) => ({ mac: driver.units[index]?.mac });
  const setUID = await setOf(driver, spring);
  await farm.talk(30);
  await order('SendScheduleSet', { payload: { setUID } });
  await farm.talk(90);
  await farm.run(5 * 1440);
  await order('ValveOn', { ...unit(0), payload: { maxOpenMinutes: 45 } });
  await farm.talk(20);
  await farm.run(2 * 1440);
  await order('Inhibit', unit(1));
  const until = new Date(kit.clock.now.getTime() + 3 * 1440 * MINUTE).toISOString();
  const { uid: holdUID } = await post('POST /paddock-hold', { uids: [driver.units[2]?.uid], until });
  await farm.talk(20);
  await farm.run(2 * 1440);
  await order('Uninhibit', unit(1));
  await post('POST /paddock-hold/end', { holdUID });
  await farm.talk(20);
  await farm.run(9 * 1440);
  await order('SendScheduleSet', { payload: { setUID: await setOf(driver, summer) } });
  await farm.talk(90);
  await farm.run(10 * 1440);
  // 01:45, in the middle of the fourth's watering.
  const untilThen = 13 * 60 + 45 - skipped;
  await farm.run(untilThen);
  await order('ValveOff', unit(3));
  await farm.talk(20);
  await farm.run((DAYS - 28) * 1440 - untilThen - skipped);
  farm.stop();
  return { truth, driver, logs: await diary(driver, { start, stop }) };
}

interface Turn {
  start: number;
  duration: number;
}
/** Two lines: one after midnight, through the hour that a change skips or doubles; one over midnight, in two rounds. */
const spring = (index: number): Turn[] =>
  index < 6
    ? [10, 1450].map((first) => ({ start: first + 28 * index, duration: 28 }))
    : [
        { start: 1390 + 22 * (index - 6), duration: 22 },
        { start: 2000 + 22 * (index - 6), duration: 22 },
      ];
const summer = (index: number): Turn[] =>
  spring(index).map(({ start }) => ({ start: start + 3, duration: 20 }));

async function setOf(driver: FarmDriver, turns: (index: number) => Turn[]): Promise<string> {
  const { db } = kit.server.database;
  const { id, uid } = await db
    .insertInto('schedule_set')
    .values({
      farm_id: driver.farm.id,
      uid: `${driver.farm.uid.slice(0, 20)}${String(turns(0)[0]?.duration).padStart(4, '0')}`,
      name: 'Season',
      created_at: kit.clock.now,
    })
    .returning(['id', 'uid'])
    .executeTakeFirstOrThrow();
  const entries = (index: number) =>
    turns(index).map(({ start, duration }) => ({ start, duration, cycle: start < 1440 ? 1 : 2 }));
  await db
    .insertInto('schedule_set_unit')
    .values(
      driver.units.map((unit, index) => ({
        farm_id: driver.farm.id,
        set_id: id,
        device_id: unit.id,
        entries: JSON.stringify(entries(index)),
      })),
    )
    .execute();
  return uid;
}

/** Whether each sprinkler's next report comes, by a Lehmer generator of its own: in which order they speak isn't always the same. */
function drawn(lost: number, { units }: FarmDriver): (item: Pick<IpcItem, 'mac'>) => boolean {
  const states = new Map(units.map(({ mac }, index) => [mac, 20_261_126 + 7919 * index]));
  return ({ mac }) => {
    const state = ((states.get(mac) ?? 0) * 48_271) % (2 ** 31 - 1);
    states.set(mac, state);
    return state % 100 >= lost;
  };
}

async function diary(driver: FarmDriver, days: Omit<Days, 'skipped'>): Promise<DiaryLog[]> {
  const headers = await kit.server.signIn(driver.owner);
  const logs: DiaryLog[] = [];
  let after: string | null = null;
  do {
    const reply = await kit.server.call('GET /irr-diary-logs', {
      headers,
      query: { farmUID: driver.farm.uid, ...days, ...(after && { after }) },
    });
    expect(reply.statusCode, reply.body).toBe(200);
    const page = reply.json<DiaryPage>();
    logs.push(...page.logs);
    after = page.next;
  } while (after);
  return logs;
}

/** Minutes in which the diary says otherwise than the valve was. */
function* differences(truth: Truth, logs: readonly DiaryLog[], { units }: FarmDriver) {
  for (const { name } of units) {
    const told = minutesOf(logs.filter(({ sprinkler }) => sprinkler === name));
    const was = truth.get(name) ?? new Set();
    for (const at of was) if (!told.has(at)) yield { unit: name, at, was: 'open' };
    for (const at of told) if (!was.has(at)) yield { unit: name, at, was: 'closed' };
  }
}

/** The middles of the minutes in which it was open, by the diary. */
function minutesOf(logs: readonly DiaryLog[]): Set<number> {
  const found = new Set<number>();
  for (const { start, stop, minutes } of logs) {
    if (minutes === 0 || stop === null) continue;
    const from = Date.parse(start);
    for (let at = Math.floor(from / MINUTE) * MINUTE + MINUTE / 2; at < Date.parse(stop); at += MINUTE)
      if (at >= from) found.add(at);
  }
  return found;
}

const isUnsure = ({ outcome, reasons }: DiaryLog) =>
  outcome === 'not known' || reasons.some(({ code }) => code === 'endNotHeard' || code === 'startNotHeard');

/** Whether it may have been open then, by its plan or its words. */
function isOver({ start, stop, planned, bounds }: DiaryLog, at: number): boolean {
  const from = Math.min(Date.parse(start), Date.parse(planned?.start ?? start));
  const most = from + (bounds?.minutes.most ?? 0) * MINUTE;
  const to = Math.max(most, Date.parse(stop ?? start), Date.parse(planned?.stop ?? start));
  return at >= from - MINUTE && at <= to + MINUTE;
}

/** A word within five minutes of its time counts as that of the moment: it may be a second one, and the first was lost. */
const isNear = ({ start, stop }: DiaryLog, at: number) =>
  [start, stop].some((time) => time !== null && Math.abs(Date.parse(time) - at) <= 5 * MINUTE);
