import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commandTypes } from '@headrace/contract/command-types';
import type { GroupInfo, SprinklerCounts } from '@headrace/contract/groups';
import { presets } from '@headrace/contract/permissions';
import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import type { DeviceRow } from '../../db/schema.ts';
import { buildAccount, buildDevice, buildFarm, buildShare } from '../../testing/factories.ts';
import { buildGroup, buildScheduleSet, buildSprinkler } from '../../testing/irrigation-factories.ts';
import { everyMinutes, recordReadings } from '../../testing/record-readings.ts';
import { type CommandsKit, createCommandsKit } from '../commands/testing/commands-kit.ts';
import type { FarmDriver } from '../commands/testing/farm-driver.ts';

/** All of one sprinkler by one call. */
let kit: CommandsKit;
let driver: FarmDriver;
beforeAll(async () => {
  kit = await createCommandsKit();
});
afterAll(() => kit.close());
beforeEach(async () => {
  // 10:00 on 21 November in New Zealand's summer time.
  kit.clock.now = new Date('2026-11-20T21:00:00Z');
  driver = await kit.farm();
});

const at = (time: string) => Date.parse(`2026-11-${time}Z`);
const unit = (): DeviceRow => {
  const [found] = driver.units;
  if (!found) throw new Error('no unit');
  return found;
};
// CRC-16/CCITT-FALSE of 720, 60, 1 and of 780, 45, 1 as 16-bit words; reckoned with Python's binascii.crc_hqx(…, 0xFFFF).
const spring = { entries: [{ start: 720, duration: 60, cycle: 1 }], crc: '12:57' };
const summer = { entries: [{ start: 780, duration: 45, cycle: 1 }], crc: '9F:6D' };

const ask = (query: Record<string, string>, headers = driver.headers) =>
  kit.server.call('GET /ipc/fullinfo', { headers, query });
async function info(query: Record<string, string> = { deviceId: unit().uid }): Promise<SprinklerInfo> {
  const reply = await ask(query);
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json<SprinklerInfo>();
}

async function send({ entries }: typeof spring) {
  const setUID = await buildScheduleSet(kit.server.database.db, driver.farm.id, [unit()], entries);
  const { rows } = await kit.server.database.pool.query('select name from schedule_set where uid = $1', [
    setUID,
  ]);
  const uid = await driver.command('SendScheduleSet', { payload: { setUID, groupUID: 'FARM' } });
  return { uid, setId: setUID, setName: String(rows[0].name) };
}
let sets = 0;
beforeEach(() => (sets = 0));
async function sendAnswered(programme: typeof spring) {
  const sent = await send(programme);
  sets += 1;
  await driver.answers(`set-${sets}`, 'done', { mac: unit().mac ?? '' });
  await driver.reaches(sent.uid, 'done');
  return sent;
}
/** The same unit as maps have it, and how many are how. */
async function listed() {
  const query = { farmUID: driver.farm.uid, name: 'FARM' };
  const reply = await kit.server.call('GET /group/info', { headers: driver.headers, query });
  return reply.json<GroupInfo>().ipcs.find(({ id }) => id === unit().uid);
}
async function counted() {
  const query = { farmUID: driver.farm.uid };
  const reply = await kit.server.call('GET /ipc/status', { headers: driver.headers, query });
  return reply.json<SprinklerCounts>();
}
const says = (values: object, when = kit.clock.now) =>
  driver.says('ipc', { items: [{ mac: unit().mac, at: when.toISOString(), ...values }] });

it('is wanted to water nothing from the tap on Inhibit until Uninhibit, whatever it says', async () => {
  const { name, mac, serial_number: serialNumber } = unit();
  const target = { name, mac: mac ?? '', serialNumber };
  expect((await info()).stopWanted).toBeNull();
  await driver.command('Inhibit', target);
  kit.pass(5);
  expect(await info()).toMatchObject({ stopWanted: at('20T21:00:00'), isInhibited: false });
  await driver.command('Uninhibit', target);
  expect((await info()).stopWanted).toBeNull();
});

it('is the status that the map has, with its place and its farm', async () => {
  const { db } = kit.server.database;
  await db.updateTable('device').set({ lat: -43.5, lng: 171.5 }).where('id', '=', unit().id).execute();
  await says({ charge: 62, clock: -4, hops: 2, ipcCrc: spring.crc, mode: 'Mesh', valve: 'closed' });
  const map = await kit.server.call('GET /irrigation/status', {
    headers: driver.headers,
    query: { farmUID: driver.farm.uid },
  });
  const { belief, ...status } = map.json<{ ipcs: SprinklerInfo[] }>().ipcs[0] ?? ({} as SprinklerInfo);
  expect(belief).toBeNull();
  expect(status).toMatchObject({ charge: 62, laststatus: '21/11/2026 10:00' });
  expect(await info()).toMatchObject({
    ...status,
    farmUID: driver.farm.uid,
    macAddress: unit().mac,
    location: { lat: -43.5, lng: 171.5 },
    state: 'ok',
    belief: { state: 'closed', since: at('20T21:00:00'), until: null, basis: 'said', cause: 'none' },
  });
});

it('says of each fact when it was said, by which way it is reached, and when another unit took its place', async () => {
  const repeater = await buildDevice(kit.server.database.db, driver.farm.id, 'repeater', { name: 'R3' });
  const then = new Date(at('20T18:00:00'));
  await says({ charge: 62, clock: -4, hops: 2, ipcCrc: spring.crc, via: repeater.mac }, then);
  await says({ valve: 'closed', mode: 'Mesh' });
  const found = await info();
  const [old, fresh] = [then.getTime(), at('20T21:00:00')];
  expect(found.statustime).toBe(fresh);
  expect(found.reportedAt).toEqual({
    charge: old,
    clock: old,
    checksum: old,
    hops: old,
    mode: fresh,
    entries: null,
    cycleDay: null,
  });
  const { uid, name } = driver.gateway;
  expect(found.gateway).toEqual({ uid, name, contactAt: expect.any(Number) as number });
  expect(found.repeater).toEqual({ uid: repeater.uid, name: 'R3', at: old });
  expect(found.lastSwap).toBeNull();
  kit.pass(1);
  const serial = unit().serial_number;
  const payload = { serialNumber: 'NEW-9', mac: '0004A30B001C0579' };
  const replace = await driver.command('Replace', { mac: unit().mac, payload });
  await driver.answers(replace, 'done');
  const swapped = await info({ serial: 'NEW-9' });
  expect(swapped.lastSwap).toEqual({ at: at('20T21:01:00'), from: serial, to: 'NEW-9' });
  // What the one before said is not its own.
  expect(new Set(Object.values(swapped.reportedAt))).toEqual(new Set([null]));
});

describe('what it waters by', () => {
  it('is nothing that anybody knows before it was sent or said anything', async () => {
    expect(await info()).toMatchObject({
      location: null,
      // Never heard.
      state: 'outOfContact',
      wanted: null,
      held: { state: 'unknown', setId: null, crc: null, entries: null, since: null, how: null },
      next: [],
      runs: [],
      commands: [],
      belief: { state: 'unknown', basis: 'none' },
    });
  });

  it('is what it answered that it took, with the next ten waterings', async () => {
    const { uid, setId, setName } = await sendAnswered(spring);
    kit.pass(1);
    await says({ ipcCrc: spring.crc, clock: -20 });
    const found = await info();
    const known = { setId, setName, ...spring, cycleDays: 1, since: at('20T21:00:00') };
    expect(found.wanted).toEqual({ ...known, scheduleGroup: expect.any(String) as string, commandId: uid });
    expect(found.held).toEqual({ ...known, state: 'wanted', how: 'answered', stoppedAt: null });
    expect(found.next).toHaveLength(10);
    // 12:00 today; its clock is 20 s slow.
    expect(found.next[0]).toEqual({
      startAt: at('20T23:00:00'),
      endAt: at('21T00:00:00'),
      cycle: 1,
      duration: 60,
      clock: 'plain',
      fate: { kind: 'will', reasons: [], shiftS: 20 },
    });
    expect(found.next[9]?.startAt).toBe(at('29T23:00:00'));
    expect(found.belief.reasons).toEqual([]);
  });

  it('is the older one while the newer is on its way, which is told as such', async () => {
    const first = await sendAnswered(spring);
    kit.pass(5);
    const second = await send(summer);
    const found = await info();
    expect(found.wanted).toMatchObject({ ...summer, setId: second.setId, since: at('20T21:05:00') });
    expect(found.held).toMatchObject({ ...spring, state: 'older', setId: first.setId });
    expect(found.next[0]).toMatchObject({
      startAt: at('20T23:00:00'),
      // It answered and never said anything by itself.
      fate: {
        kind: 'unsure',
        reasons: [
          { code: 'onItsWay', at: null },
          { code: 'notHeard', at: null },
        ],
      },
    });
    expect(found.belief.reasons).toEqual([
      { code: 'holdsAnother', at: at('20T21:00:00') },
      { code: 'onItsWay', at: null },
      { code: 'notHeard', at: null },
    ]);
    expect(found.commands).toMatchObject([
      {
        command: { _id: second.uid, type: commandTypes.SendScheduleSet, total: 1 },
        unit: { uid: unit().uid, state: 'sent' },
      },
    ]);
  });

  it('is no error while a newer one is on its way, nor until it says what it holds then', async () => {
    await sendAnswered(spring);
    await says({ ipcCrc: spring.crc });
    kit.pass(5);
    await send(summer);
    const coming = { hasScheduleError: true, isScheduleComing: true, hasError: false, condition: 0 };
    expect(await info()).toMatchObject({ ...coming, alerts: [] });
    expect(await listed()).toMatchObject(coming);
    await driver.answers('set-2', 'done', { mac: unit().mac ?? '' });
    expect(await info()).toMatchObject({ ...coming, alerts: [] });
    expect(await listed()).toMatchObject(coming);
    kit.pass(5);
    await says({ ipcCrc: spring.crc });
    const wrong = { hasScheduleError: true, isScheduleComing: false, hasError: true, condition: 2 };
    expect(await info()).toMatchObject({ ...wrong, alerts: [{ kind: 'schedule' }] });
    expect(await listed()).toMatchObject(wrong);
  });

  it('is an error again once the send of the newer one has failed', async () => {
    await sendAnswered(spring);
    await says({ ipcCrc: spring.crc });
    kit.pass(5);
    await send(summer);
    const before = await counted();
    expect(before).toMatchObject({ ok: 1, attention: 0 });
    await driver.answers('set-2', 'failed', { mac: unit().mac ?? '' });
    expect(await listed()).toMatchObject({ isScheduleComing: false, hasError: true, condition: 2 });
    expect(await counted()).toMatchObject({ ok: 0, attention: 1, total: before.total });
  });

  it('is foreign where Headrace did not send it, and nobody knows when it waters', async () => {
    await sendAnswered(spring);
    kit.pass(10);
    await says({ ipcCrc: '12:34' });
    const found = await info();
    expect(found.held).toEqual({
      state: 'foreign',
      setId: null,
      setName: null,
      crc: '12:34',
      entries: null,
      cycleDays: null,
      since: at('20T21:10:00'),
      how: 'said',
      stoppedAt: null,
    });
    expect(found.next).toEqual([]);
    expect(found.belief.reasons).toEqual([{ code: 'foreign', at: null }]);
    expect(found.alerts).toEqual([
      { kind: 'schedule', since: at('20T21:10:00'), remedy: commandTypes.UpdateSchedule },
    ]);
  });

  it('is nothing where it said so and nothing was asked of it', async () => {
    await says({ ipcCrc: 'D6:DA' });
    expect(await info()).toMatchObject({
      wanted: null,
      held: { state: 'nothing', entries: [], crc: 'D6:DA', since: at('20T21:00:00'), how: 'said' },
      next: [],
    });
  });

  it('stands while it is inhibited, with waterings that will not be', async () => {
    await sendAnswered(spring);
    kit.pass(30);
    await says({ ipcCrc: 'D6:DA' });
    const found = await info();
    expect(found.held).toMatchObject({ state: 'wanted', crc: spring.crc, stoppedAt: at('20T21:30:00') });
    expect(found.next[0]?.fate).toEqual({
      kind: 'wont',
      reasons: [{ code: 'inhibited', at: null }],
      shiftS: 0,
    });
    expect(found.alerts).toEqual([
      { kind: 'inhibited', since: at('20T21:30:00'), remedy: commandTypes.Uninhibit },
    ]);
  });
});

it('has what it gives: as its group is set, else the farm', async () => {
  // 4 L/s by the system's design: 4 × 8.620428 × 7.2 ÷ 1440; 60 × 5 ÷ 600.
  expect(await info()).toMatchObject({ lps: 4, mmPerMin: expect.closeTo(0.172409, 6) });
  const { db } = kit.server.database;
  const uid = await buildGroup(db, driver.farm.id, 'North', [unit()]);
  const water = {
    ...driver.farm.wal_config,
    type: 'SprinklerParameters',
    sprinklerFlow: 5,
    sprinklerCoverage: 600,
  };
  const wal_config = JSON.stringify(water);
  await db.updateTable('device_group').set({ wal_config }).where('uid', '=', uid).execute();
  expect(await info()).toMatchObject({ lps: 5, mmPerMin: 0.5 });
});

it('has its last ten runs, the newest first', async () => {
  for (let run = 0; run < 11; run += 1) {
    kit.pass(60);
    await says({ valve: 'open' });
    kit.pass(20);
    await says({ valve: 'closed' });
  }
  const { runs } = await info();
  expect(runs).toHaveLength(10);
  // The eleventh opened 10 × 80 + 60 = 860 min after 21:00, the second 140 min after it.
  expect(runs[0]).toEqual({
    uid: unit().uid,
    openedAt: '2026-11-21T11:20:00.000Z',
    openedHow: 'said',
    openUntil: '2026-11-21T11:20:00.000Z',
    closedAt: '2026-11-21T11:40:00.000Z',
    closedHow: 'said',
    commandId: null,
    endsAt: null,
    // 4 L/s by the system's design: 4 × 8.620428 × 7.2 ÷ 1440.
    mmPerMin: expect.closeTo(0.172409, 6),
  });
  expect(runs[9]?.openedAt).toBe('2026-11-20T23:20:00.000Z');
});

it('is not called stopped where it holds nothing, is to hold nothing and nobody stopped it', async () => {
  const { name, mac, serial_number: serialNumber } = unit();
  await says({ charge: 80, ipcCrc: 'D6:DA' });
  // Marker, filter and counter go by the checksum alone.
  expect(await info()).toMatchObject({ isInhibited: true, state: 'inhibited', alerts: [] });
  expect(await counted()).toMatchObject({ inhibited: 1 });
  await driver.command('Inhibit', { name, mac: mac ?? '', serialNumber });
  expect((await info()).alerts).toEqual([
    { kind: 'inhibited', since: at('20T21:00:00'), remedy: commandTypes.Uninhibit },
  ]);
});

it('says what is wrong in the order in which it is shown, and what mends it', async () => {
  await sendAnswered(spring);
  await says({ charge: 49, clock: 61, ipcCrc: 'D6:DA' });
  const { statustime } = await info();
  expect(statustime).toBe(at('20T21:00:00'));
  kit.clock.now = new Date(statustime + 30 * 86_400_000 + 1);
  // The session has ended meanwhile.
  driver.headers = await kit.server.signIn(driver.owner);
  expect((await info()).alerts).toEqual([
    { kind: 'outOfContact', since: kit.clock.now.getTime(), remedy: commandTypes.IpcUpdate },
    { kind: 'battery', since: null, remedy: null },
    { kind: 'clock', since: null, remedy: commandTypes.IncTimeSet },
    { kind: 'inhibited', since: at('20T21:00:00'), remedy: commandTypes.Uninhibit },
  ]);
});

it('has first that its valve should be closed by now, with what that rests on', async () => {
  await sendAnswered(spring);
  // 12:01, in its watering from 12:00 to 13:00.
  kit.clock.now = new Date(at('20T23:01:00'));
  await says({ valve: 'open', ipcCrc: spring.crc });
  // 13:06: more than five minutes late.
  kit.clock.now = new Date(at('21T00:06:00'));
  const found = await info();
  const run = { startAt: at('20T23:00:00'), endAt: at('21T00:00:00') };
  expect(found.belief).toEqual({
    state: 'openOverdue',
    since: at('20T23:01:00'),
    until: run.endAt,
    basis: 'said',
    cause: 'schedule',
    reasons: [],
    facts: {
      said: { isOpen: true, at: at('20T23:01:00'), since: at('20T23:01:00') },
      heardAt: at('20T23:01:00'),
      clockS: null,
      run,
      firstReportRun: run,
      lastReportRun: run,
      opening: null,
      unansweredUntil: null,
      unansweredClosesBy: null,
      offAt: null,
    },
  });
  expect(found.alerts[0]).toEqual({ kind: 'openOverdue', since: run.endAt, remedy: commandTypes.ValveOff });
});

it('has its battery, of which nothing is known after it was replaced', async () => {
  await says({ charge: 44 });
  expect((await info()).battery).toEqual({
    charge: 44,
    at: at('20T21:00:00'),
    replacedAt: null,
    threshold: 50,
    forecast: null,
  });
  kit.pass(5);
  await kit.server.call('POST /ipc/replace-battery', {
    headers: driver.headers,
    body: { ipcUID: unit().uid },
  });
  expect((await info()).battery).toEqual({
    charge: null,
    at: null,
    replacedAt: at('20T21:05:00'),
    threshold: 50,
    forecast: null,
  });
});

describe('how long its battery lasts', () => {
  const DAY_MIN = 1440;
  /** Of each of the 21 days before today, at its midnight and at noon: at noon 3 % more. Today, of which less is known, 10 %. */
  const reports = (first: number, perDay: number) => [
    ...everyMinutes(DAY_MIN, '2026-10-30T11:00:00Z', 21, (day) => ({ charge: first + day * perDay })),
    ...everyMinutes(DAY_MIN, '2026-10-30T23:00:00Z', 21, (day) => ({ charge: first + 3 + day * perDay })),
    { at: '2026-11-20T12:00:00Z', values: { charge: 10 } },
  ];

  it('is told by the lowest charges of the last 21 days', async () => {
    // 80 on the first and 60 on the last of them: 59 today, 9 above the threshold.
    await recordReadings(kit.server.database, driver.farm, unit(), reports(80, -1));
    expect((await info()).battery.forecast).toEqual({
      perDay: -1,
      days: 9,
      earliest: 9,
      latest: 9,
      confidence: 'good',
    });
  });

  it('is not told of the battery before', async () => {
    await recordReadings(kit.server.database, driver.farm, unit(), reports(80, -1));
    // 12 November, 10:00: nine days of this battery began after it.
    kit.clock.now = new Date('2026-11-11T21:00:00Z');
    driver.headers = await kit.server.signIn(driver.owner);
    const body = { ipcUID: unit().uid };
    const reply = await kit.server.call('POST /ipc/replace-battery', { headers: driver.headers, body });
    expect(reply.statusCode).toBe(200);
    kit.clock.now = new Date('2026-11-20T21:00:00Z');
    driver.headers = await kit.server.signIn(driver.owner);
    expect((await info()).battery).toMatchObject({ replacedAt: at('11T21:00:00'), forecast: null });
  });

  it('is not told where it does not fall', async () => {
    await recordReadings(kit.server.database, driver.farm, unit(), reports(60, 1));
    expect((await info()).battery.forecast).toBeNull();
  });
});

describe('by its serial number', () => {
  const ofFarm = async (ownerId: number, serial: string, settings: object = {}) => {
    const farm = await buildFarm(kit.server.database.db, ownerId);
    return buildSprinkler(kit.server.database.db, farm.id, { serial_number: serial, settings });
  };

  it('is found, upper and lower case alike', async () => {
    const serial = unit().serial_number;
    expect((await info({ serial: serial.toLowerCase() })).id).toBe(unit().uid);
  });

  it('is the one in service of two farms', async () => {
    await ofFarm(driver.owner.id, 'TWIN-1', { isSpareUnit: true });
    await ofFarm(driver.owner.id, 'TWIN-1', { outOfService: true });
    const inService = await ofFarm(driver.owner.id, 'TWIN-1');
    expect((await info({ serial: 'TWIN-1' })).id).toBe(inService.uid);
  });

  it('of another tenant, of another kind or of nobody is not there', async () => {
    const stranger = await buildAccount(kit.server.database.db);
    await ofFarm(stranger.id, 'THEIRS-1');
    const replies = await Promise.all(
      ['THEIRS-1', driver.gateway.serial_number, 'NOBODY-1'].map((serial) => ask({ serial })),
    );
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1);
  });

  it('is the one that may be seen, although another farm that can be entered has it in service', async () => {
    const { db } = kit.server.database;
    const agent = await buildAccount(db, { type: 'AGENT' });
    const shut = await ofFarm(driver.owner.id, 'SHARED-1');
    await buildShare(db, shut.farm_id, agent.id, presets.none);
    const headers = await kit.server.signIn(agent);
    expect((await ask({ serial: 'SHARED-1' }, headers)).statusCode).toBe(404);
    const open = await ofFarm(driver.owner.id, 'SHARED-1', { isSpareUnit: true });
    await buildShare(db, open.farm_id, agent.id, presets.guest);
    const reply = await ask({ serial: 'SHARED-1' }, headers);
    expect(reply.json<SprinklerInfo>().id).toBe(open.uid);
  });

  it('is asked for by one of both names', async () => {
    const reply = await ask({});
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ field: 'deviceId' });
    expect((await ask({}, {})).statusCode).toBe(401);
    const other = await ofFarm(driver.owner.id, 'OTHER-1');
    expect((await info({ deviceId: other.uid, serial: unit().serial_number })).id).toBe(other.uid);
  });
});
