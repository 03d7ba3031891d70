import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { takeDays, takeRows, WaterTake } from '@headrace/contract/water-takes';
import type { DeviceRow } from '../../db/schema.ts';
import { buildDevice } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { meterEntry, takeEntries } from '../../testing/take-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// The clock stands at 2026-11-20T21:00Z: 09:00 NZST on 21 November, whose day began at 12:00Z.
let server: TestServer;
let world: FarmWorld;
let meter: DeviceRow;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  world = await buildFarmWorld(server);
  // A pulse is 100 L.
  meter = await buildMeter({ name: 'Bore 1' });
});

const buildMeter = (values: Parameters<typeof buildDevice>[3]) =>
  buildDevice(server.database.db, world.farm.id, 'sensor', {
    type: sensorTypes.FLOW_PULSE,
    settings: JSON.stringify({ litrePerPulse: 100 }),
    ...values,
  });

const place = (device = meter, values: object = {}) => meterEntry(device, values);
const farmUID = () => world.farm.uid;
const add = (values: object = {}) =>
  world.send('POST /water-take', { farmUID: farmUID(), ...takeEntries, meters: [place()], ...values });
const added = async (values: object = {}) => (await add(values)).json<WaterTake>();
const daysOf = async ({ uid }: WaterTake, days: object = {}) =>
  (await world.get('GET /water-take/days', { farmUID: farmUID(), uid, ...days })).json<
    ReplyOf<typeof takeDays>
  >();
const rowsOf = async ({ uid }: WaterTake, from = '2026-11-21', to = from) => {
  const reply = await world.get('GET /water-take/rows', { farmUID: farmUID(), uid, from, to });
  return reply.json<ReplyOf<typeof takeRows>>().places.flatMap(({ rows }) => rows);
};
const count = (at: string, pulses: number) => ({
  at: `2026-11-20T${at}:00Z`,
  values: { pulsesTotal: pulses },
});
/** 4 m³, nothing, and 26 m³ over a silence; then each quarter a m³ until 20:45Z. */
const night = [
  count('12:00', 10_000),
  count('12:15', 10_040),
  count('12:30', 10_040),
  ...Array.from({ length: 28 }, (_, index) => {
    const minutes = 14 * 60 + index * 15;
    const clock = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
    return count(clock.join(':'), 10_300 + index * 10);
  }),
];

describe('a water take', () => {
  it('is kept as it was entered, with the farm’s meters to choose from', async () => {
    await world.record(meter, [count('12:00', 1)]);
    const take = await added();
    expect(take).toMatchObject({ ...takeEntries, version: 1 });
    expect(take.meters).toEqual([
      { ...place(), uid: expect.any(String), device: 'Bore 1', isGone: false, readings: [] },
    ]);
    const list = (await world.get('GET /water-take', { farmUID: farmUID() })).json();
    expect(list.takes).toEqual([take]);
    expect(list.choices).toEqual([
      { uid: meter.uid, name: 'Bore 1', metric: 'pulsesTotal', m3PerUnit: 0.1, hasSpoken: true },
    ]);
    const changes = await world.get('GET /changes', { farmUID: farmUID(), deviceUID: farmUID() });
    expect(JSON.stringify(changes.json())).toContain('20 L/s, 1728 m³ a day');
  });

  it('is changed once by two people, and the second is shown the newer one', async () => {
    const take = await added();
    const change = (values: object) =>
      server.call('PUT /water-take', {
        headers: world.headers,
        body: { farmUID: farmUID(), uid: take.uid, version: 1, ...takeEntries, meters: [], ...values },
      });
    const { uid } = take.meters[0] ?? {};
    expect((await change({ maxLps: 30, meters: [{ uid, ...place() }] })).json()).toMatchObject({
      version: 2,
      maxLps: 30,
      meters: [{ uid }],
    });
    const late = await change({ maxLps: 25 });
    expect([late.statusCode, late.json().current.maxLps]).toEqual([409, 30]);
  });

  it.each([
    ['a sensor of another farm', async () => ({ meters: [place((await elsewhere()) ?? meter)] }), 'meters'],
    ['one meter twice at a time', () => ({ meters: [place(), place(meter, { site: 'Other' })] }), 'meters'],
    [
      'a meter that ends before it begins',
      () => ({ meters: [place(meter, { endsAt: '2025-01-01T00:00:00Z' })] }),
      'meters',
    ],
    ['a day that is none', () => ({ validFrom: '2026-02-30' }), 'validFrom'],
    ['an end before its start', () => ({ validFrom: '2026-03-14', validTo: '2026-03-13' }), 'validTo'],
  ])('is refused with %s', async (_what, values, field) => {
    const reply = await add(await values());
    expect([reply.statusCode, reply.json().field]).toEqual([400, field]);
  });

  const elsewhere = async () => {
    const other = await buildFarmWorld(server);
    return buildDevice(server.database.db, other.farm.id, 'sensor', { type: sensorTypes.FLOW });
  };

  it('does not share its meter or its number with another one at the same time', async () => {
    await added();
    expect((await add({ consentNo: 'CRC2' })).json().field).toBe('meters');
    expect((await add({ meters: [] })).json().field).toBe('consentNo');
    const later = place(meter, { startsAt: '2026-11-21T00:00:00Z' });
    expect((await add({ consentNo: 'CRC2', meters: [later] })).statusCode).toBe(400);
  });

  it('is gone once it was deleted, and what its meter said is counted again when it is entered anew', async () => {
    await world.record(meter, night);
    const take = await added();
    const gone = await server.call('DELETE /water-take', {
      headers: world.headers,
      query: { farmUID: farmUID(), uid: take.uid },
    });
    expect(gone.json()).toEqual({ deleted: true });
    expect((await world.get('GET /water-take/days', { farmUID: farmUID(), uid: take.uid })).statusCode).toBe(
      404,
    );
    expect((await daysOf(await added())).days.at(-1)?.m3).toBeCloseTo(57, 6);
  });
});

describe('its quarters of an hour', () => {
  it('are measured, zero where two readings say so, and missing over a silence', async () => {
    await world.record(meter, night);
    const rows = await rowsOf(await added());
    expect(rows.slice(0, 9).map(({ m3, state, code }) => [m3, state, code])).toEqual([
      [expect.closeTo(4, 9), 'measured', 0],
      [0, 'measured', 0],
      ...Array.from({ length: 6 }, () => [null, 'missing', 100]),
      [expect.closeTo(1, 9), 'measured', 0],
    ]);
    // Until 20:45Z: what may still come isn't missing yet.
    expect(rows).toHaveLength(35);
    expect(rows[0]).toMatchObject({ before: 1000, after: 1004 });
  });

  it('are filled by readings that come later, in whichever order', async () => {
    await world.record(meter, night);
    const take = await added();
    await world.record(meter, [count('13:30', 10_200), count('12:45', 10_080), count('13:00', 10_100)]);
    await world.record(meter, [count('13:15', 10_150), count('13:45', 10_250)]);
    const rows = await rowsOf(take);
    expect(rows.slice(2, 8).map(({ m3 }) => m3?.toFixed(3))).toEqual([
      '4.000',
      '2.000',
      '5.000',
      '5.000',
      '5.000',
      '5.000',
    ]);
    expect((await daysOf(take, { from: '2026-11-21' })).gapCount).toBe(0);
  });

  it('go on with the next meter after a swap, and also where the old one was deleted', async () => {
    const next = await buildMeter({ name: 'Bore 1 new' });
    const swap = '2026-11-20T12:32:00.000Z';
    await world.record(meter, night.slice(0, 3));
    await world.record(next, [count('12:45', 0), count('13:00', 50), count('13:15', 70)]);
    const meters = [place(meter, { endsAt: swap }), place(next, { startsAt: swap })];
    const take = await added({ meters });
    await server.database.db
      .updateTable('device')
      .set({ deleted_at: server.clock.now })
      .where('id', '=', meter.id)
      .execute();
    const rows = await rowsOf(take);
    expect(rows.slice(0, 5).map(({ m3 }) => m3)).toEqual([
      expect.closeTo(4, 9),
      0,
      null,
      expect.closeTo(5, 9),
      expect.closeTo(2, 9),
    ]);
    const [first] = (await world.get('GET /water-take', { farmUID: farmUID() })).json().takes;
    expect(first.meters.map(({ isGone }: { isGone: boolean }) => isGone)).toEqual([true, false]);
  });

  it.each([
    ['more days than a month', '2026-10-01', '2026-11-01'],
    ['an end before the start', '2026-11-02', '2026-11-01'],
    ['a day that is none', '2026-02-30', '2026-03-01'],
  ])('are refused for %s', async (_what, from, to) => {
    const { uid } = await added();
    const reply = await world.get('GET /water-take/rows', { farmUID: farmUID(), uid, from, to });
    expect([reply.statusCode, reply.json().field]).toEqual([400, 'from']);
  });
});

describe('its days', () => {
  it('have what is known, what is missing and for how much, and what is left at the rate of now', async () => {
    await world.record(meter, night);
    const reply = await daysOf(await added(), { from: '20-11-2026', to: '21-11-2026' });
    expect(reply).toMatchObject({ standardTime: 'NZST', from: '2026-11-20', to: '2026-11-21' });
    expect(reply.until).toBe('2026-11-20T20:45:00.000Z');
    const [before, today] = reply.days;
    expect(before).toMatchObject({ missing: 96, isWhole: false, m3: 0, highestLps: null });
    expect(today).toMatchObject({ rows: 35, measured: 29, missing: 6, isWhole: true });
    expect(today?.cells).toBe(`mz------${'m'.repeat(27)}`);
    expect(today?.highestLps).toBeCloseTo(4.444, 3);
    expect(reply.gaps[0]).toEqual({
      from: '2026-11-20T12:30:00.000Z',
      to: '2026-11-20T14:00:00.000Z',
      rows: 6,
      m3: expect.closeTo(26, 6),
      isCut: false,
      cause: 'silent',
      note: '',
    });
    // 4 + 26 + 27 of 1,728 m³; at 4 m³ an hour the rest would last beyond the day.
    expect(reply.use.today).toEqual({
      used: expect.closeTo(57, 6),
      cutM3: 0,
      isWhole: true,
      measuredFrom: null,
      measuredTo: null,
      isRestricted: false,
      most: 1728,
      left: expect.closeTo(1671, 6),
      reachedAt: null,
    });
    expect(reply.use.lps).toBeCloseTo(1.111, 3);
    expect(reply.use.year).toMatchObject({ most: null, reachedAt: null, isWhole: false });
  });

  it('have no part of a gap over midnight, which is whole in both together; one over a midnight of UTC is whole', async () => {
    const of = (at: string, pulses: number) => ({ at: `2026-11-${at}:00Z`, values: { pulsesTotal: pulses } });
    await world.record(meter, [
      of('19T23:00', 8000),
      of('19T23:15', 8010),
      of('20T01:00', 8210),
      of('20T11:00', 9010),
      of('20T13:00', 9410),
      of('20T13:15', 9420),
    ]);
    // 1 + 20 + 80 m³ are sure of the 20th; with half of the 40 m³ over its midnight it would be above.
    const take = await added({ maxM3Day: 120 });
    for (const _time of ['reckoned', 'kept']) {
      const reply = await daysOf(take, { from: '2026-11-20', to: '2026-11-21' });
      const near = (m3: number) => expect.closeTo(m3, 6);
      expect(reply.days.map(({ m3, cutM3 }) => [m3, cutM3])).toEqual([
        [near(101), near(40)],
        [near(1), near(40)],
      ]);
      expect(reply.days.map(({ isWhole }) => isWhole)).toEqual([false, false]);
      expect(reply.taken.m3).toBeCloseTo(142, 6);
      expect(reply.exceedances).toEqual([]);
      expect(reply.gaps.find(({ from }) => from === '2026-11-19T23:15:00.000Z')).toMatchObject({
        m3: near(140),
        isCut: false,
      });
      expect(reply.use.today).toMatchObject({ used: near(1), cutM3: near(40), isWhole: false });
    }
    const { gaps } = await daysOf(take, { from: '2026-11-20', to: '2026-11-20' });
    expect(gaps[0]).toMatchObject({ to: '2026-11-20T12:00:00.000Z', m3: null, isCut: true, cause: 'silent' });
    const inGap = (await rowsOf(take)).slice(0, 4);
    expect(inGap.map(({ m3, known }) => [m3, known])).toEqual(inGap.map(() => [null, null]));
  });

  it('say when the day’s limit is reached at the rate of now', async () => {
    await world.record(meter, night);
    const { use } = await daysOf(await added({ maxM3Day: 61 }));
    // 4 m³ are left at 4 m³ an hour.
    expect(use.today.reachedAt).toBe('2026-11-20T21:45:00.000Z');
  });

  it('are at least what was measured where the meter came later, and a part of a day stands at its hours', async () => {
    await world.record(meter, night);
    const startsAt = '2026-11-20T14:00:00.000Z';
    const reply = await daysOf(await added({ meters: [place(meter, { startsAt })], maxM3Year: 1000 }));
    expect(reply.days).toMatchObject([
      { isWhole: false, rows: 27, cells: `${' '.repeat(8)}${'m'.repeat(27)}` },
    ]);
    for (const use of [reply.use.today, reply.use.sevenDays, reply.use.year])
      expect(use).toMatchObject({ isWhole: false, measuredFrom: startsAt, measuredTo: null });
  });

  it('are at least what was measured where the last meter was taken out', async () => {
    await world.record(meter, night);
    const endsAt = '2026-11-20T18:00:00.000Z';
    const { use } = await daysOf(await added({ meters: [place(meter, { endsAt })] }));
    expect(use.today).toMatchObject({ isWhole: false, measuredFrom: null, measuredTo: endsAt });
  });

  it('leave what a restriction leaves of a day, and nothing while taking ceased', async () => {
    await world.record(meter, night);
    const times = { from: '2026-11-20T12:00:00.000Z', to: '2026-11-21T12:00:00.000Z', note: '' };
    const half = { ...times, kind: 'volume', percent: 50 };
    const take = await added({ restrictions: [half] });
    expect((await daysOf(take)).use.today).toMatchObject({
      most: 864,
      left: expect.closeTo(807, 6),
      isRestricted: true,
    });
    const cease = { ...times, from: '2026-11-20T20:00:00.000Z', kind: 'cease', percent: 0 };
    await world.send('PUT /water-take', {
      farmUID: farmUID(),
      uid: take.uid,
      version: 1,
      ...takeEntries,
      maxM3Day: 61,
      restrictions: [cease],
      meters: take.meters.map(({ uid }) => ({ uid, ...place() })),
    });
    expect((await daysOf(take)).use.today).toMatchObject({ left: 0, isRestricted: true, reachedAt: null });
  });

  it('have nothing left after the end of the consent, and list what was taken then', async () => {
    await world.record(meter, night);
    const { use, exceedances } = await daysOf(await added({ validTo: '2026-11-20' }));
    expect([use.consent, use.today.most, use.today.left]).toEqual(['ended', null, null]);
    expect(exceedances).toMatchObject([{ limit: 'ended', value: expect.closeTo(57, 6), most: 0 }]);
  });

  it('of a logger by volume end with what is settled: since its last step a pump may run', async () => {
    await world.record(meter, [
      count('19:00', 100),
      count('19:30', 200),
      count('20:00', 200),
      count('20:45', 200),
    ]);
    const take = await added({ meters: [place(meter, { isByVolume: true })] });
    const reply = await daysOf(take, { from: '2026-11-21' });
    expect(reply.until).toBe('2026-11-20T19:30:00.000Z');
    expect(reply.days[0]?.cells).toBe(`${'-'.repeat(28)}mm`);
  });

  it('show what was above a limit, and by less than the meter may be wrong', async () => {
    await world.record(meter, [
      count('12:00', 0),
      count('12:15', 184),
      count('12:30', 374),
      count('12:45', 554),
    ]);
    const { exceedances, exceedanceCount } = await daysOf(await added({ maxM3Day: 50 }));
    expect(exceedanceCount).toBe(3);
    expect(
      exceedances.map(({ limit, at, isWithinAccuracy }) => [limit, at.from.slice(11, 16), isWithinAccuracy]),
    ).toEqual([
      ['rate', '12:15', false],
      ['rate', '12:00', true],
      ['day', '12:00', false],
    ]);
  });

  it('keep a person’s word of why a time is missing, until it is taken away', async () => {
    await world.record(meter, night);
    const take = await added();
    const span = { from: '2026-11-20T12:30:00Z', to: '2026-11-20T14:00:00Z' };
    const note = (text: string) =>
      world.send('PUT /water-take/gap', { farmUID: farmUID(), uid: take.uid, ...span, note: text });
    const shown = async () => (await daysOf(take, { from: '2026-11-21' })).gaps[0]?.note;
    await note('Lightning');
    await note('Lightning took the modem');
    expect(await shown()).toBe('Lightning took the modem');
    await note('');
    expect(await shown()).toBe('');
    const history = await world.get('GET /changes', { farmUID: farmUID(), deviceUID: farmUID() });
    expect(JSON.stringify(history.json())).toContain('Lightning took the modem');
  });

  it('keep notes of other times, also where one is of a time around them, and none is of more than a year', async () => {
    await world.record(meter, night);
    const take = await added();
    const note = (from: string, to: string, text: string) =>
      world.send('PUT /water-take/gap', { farmUID: farmUID(), uid: take.uid, from, to, note: text });
    await note('2026-11-20T12:30:00Z', '2026-11-20T14:00:00Z', 'Lightning');
    expect((await note('1970-01-01T00:00:00Z', '2026-11-20T20:00:00Z', 'x')).json().field).toBe('to');
    expect((await note('2026-11-20T12:30:00Z', '2026-11-21T20:00:00Z', 'x')).json().field).toBe('to');
    await note('2026-11-01T00:00:00Z', '2026-11-20T20:00:00Z', 'Around it');
    const { gaps } = await daysOf(take, { from: '2026-11-21' });
    expect(gaps[0]?.note).toBe('Lightning');
  });

  it('have 500 notes at most, and each of them can be corrected', async () => {
    const take = await added();
    const { id } = await server.database.db
      .selectFrom('water_take')
      .select('id')
      .where('uid', '=', take.uid)
      .executeTakeFirstOrThrow();
    const noteAt = (index: number) => ({
      from_at: new Date(Date.parse('2026-01-01T00:00:00Z') + index * 3_600_000),
      to_at: new Date(Date.parse('2026-01-01T00:30:00Z') + index * 3_600_000),
    });
    const row = { farm_id: world.farm.id, take_id: id, note: 'x', account_id: null };
    await server.database.db
      .insertInto('take_note')
      .values(Array.from({ length: 500 }, (_, index) => ({ ...row, ...noteAt(index) })))
      .execute();
    const note = (index: number) =>
      world.send('PUT /water-take/gap', {
        farmUID: farmUID(),
        uid: take.uid,
        from: noteAt(index).from_at.toISOString(),
        to: noteAt(index).to_at.toISOString(),
        note: 'Mended',
      });
    expect([(await note(7)).statusCode, (await note(501)).statusCode]).toEqual([200, 409]);
  });
});

describe('a reading of the register', () => {
  const read = (take: WaterTake, at: string, register: number) =>
    world.send('POST /water-take/reading', {
      farmUID: farmUID(),
      meterUID: take.meters[0]?.uid,
      at: `2026-11-20T${at}:00.000Z`,
      register,
      note: '',
    });

  it('verifies what came by telemetry between two that agree with it, and can be taken back', async () => {
    await world.record(meter, night);
    const take = await added();
    await read(take, '12:00', 5000);
    // 57 m³ came by telemetry: 57.4 is 0.7 % more.
    const after = (await read(take, '20:45', 5057.4)).json<WaterTake>();
    expect(after.meters[0]?.readings.map(({ register, by }) => [register, by])).toEqual([
      [5057.4, expect.any(String)],
      [5000, expect.any(String)],
    ]);
    const { checks } = await daysOf(take);
    expect(checks).toMatchObject([{ site: '123456M1', isGood: true, percent: expect.closeTo(0.7018, 3) }]);
    const codes = (await rowsOf(take)).map(({ code }) => code);
    expect(codes.slice(0, 4)).toEqual([600, 600, 100, 100]);
    await server.call('DELETE /water-take/reading', {
      headers: world.headers,
      query: { farmUID: farmUID(), readingUID: after.meters[0]?.readings[0]?.uid ?? '' },
    });
    expect((await daysOf(take)).checks).toEqual([]);
    const history = await world.get('GET /changes', { farmUID: farmUID(), deviceUID: farmUID() });
    expect(JSON.stringify(history.json()).match(/Bore 1: 5057.4 m³ at 2026-11-20T20:45/g)).toHaveLength(2);
  });

  it('just now is not compared yet: what came by telemetry up to it is still to come', async () => {
    await world.record(meter, night);
    const take = await added();
    await read(take, '12:00', 5000);
    await read(take, '20:55', 5057.4);
    expect((await daysOf(take)).checks).toMatchObject([{ isOpen: true, isGood: false, telemetry: null }]);
  });

  it('verifies also quarters of a day that lies between two readings of other days', async () => {
    const later = { at: '2026-11-20T20:45:00Z', values: { pulsesTotal: 20_000 } };
    const before = Array.from({ length: 200 }, (_, index) => ({
      at: new Date(Date.parse('2026-11-18T13:00:00Z') + index * 900_000).toISOString(),
      values: { pulsesTotal: index },
    }));
    await world.record(meter, [...before, later]);
    const take = await added();
    const note = { farmUID: farmUID(), meterUID: take.meters[0]?.uid, note: '' };
    const at = (day: string, register: number) =>
      world.send('POST /water-take/reading', { ...note, at: `2026-11-${day}:00.000Z`, register });
    await at('18T13:15', 100);
    await at('20T14:30', 119.7);
    const codes = (await rowsOf(take, '2026-11-20')).map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set([600]));
  });

  it.each([
    ['at a time to come', '21:01'],
    ['before the meter was in place', '11:00'],
  ])('is refused %s', async (_what, at) => {
    const take = await added({ meters: [place(meter, { startsAt: '2026-11-20T12:00:00.000Z' })] });
    const reply = await read(take, at, 1);
    expect([reply.statusCode, reply.json().field]).toEqual([400, 'at']);
  });
});

describe('the evidence pack', () => {
  const pack = ({ uid }: WaterTake, days: object = {}) =>
    world.get('GET /water-take/pack', {
      farmUID: farmUID(),
      uid,
      from: '2026-11-20',
      to: '2026-11-21',
      ...days,
    });

  it('is a zip named after the take and its days, the same bytes each time until something comes', async () => {
    await world.record(meter, night);
    const take = await added();
    const first = await pack(take);
    expect([first.statusCode, first.headers['content-type']]).toEqual([200, 'application/zip']);
    expect(first.headers['content-disposition']).toContain('water-take-CRC012345-2026-11-20-2026-11-21.zip');
    const names = ['summary.pdf', 'volumes-15min.csv', 'volumes-hour.csv', 'volumes-day.csv', 'gaps.csv'];
    const rest = ['exceedances.csv', 'hilltop.xml', 'readings.csv', 'manifest.json'];
    for (const name of [...names, ...rest]) expect(first.rawPayload.includes(name)).toBe(true);
    expect(Buffer.compare(first.rawPayload, (await pack(take)).rawPayload)).toBe(0);
    await world.record(meter, [count('13:00', 10_100)]);
    expect(Buffer.compare(first.rawPayload, (await pack(take)).rawPayload)).not.toBe(0);
  });

  it('is refused for more than 31 days', async () => {
    const reply = await pack(await added(), { from: '2026-10-21' });
    expect([reply.statusCode, reply.json().field]).toEqual([400, 'from']);
  });
});
