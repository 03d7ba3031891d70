import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { buildRule } from '../../testing/alert-factories.ts';
import { buildDevice } from '../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../testing/farm-world.ts';
import { type BuiltTake, buildTake } from '../../testing/take-factories.ts';
import { createTestServer, type TestServer } from '../../testing/test-server.ts';

// NZST is 12 hours ahead of UTC, the farm's clock 13 in summer: a day of 20 November is from 19T12:00Z, and its 18:00 is 05:00Z.
const QUARTER = 900_000;
let server: TestServer;
let world: FarmWorld;
let meter: DeviceRow;
let take: BuiltTake;
beforeAll(async () => {
  server = await createTestServer({ requestsPerMinute: 100_000 });
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.now = new Date('2026-09-01T00:00:00Z');
  world = await buildFarmWorld(server);
  meter = await buildDevice(db(), world.farm.id, 'sensor', { name: 'Bore 1', type: sensorTypes.FLOW_PULSE });
  take = await buildTake(db(), meter, server.clock.now);
  await db().updateTable('water_take').set({ consent_no: 'CRC1' }).where('uid', '=', take.uid).execute();
});

const db = () => server.database.db;
const time = (text: string) => new Date(`2026-${text}Z`);
const rule = (kind: 'TakeLimit' | 'TakeGap') =>
  buildRule(db(), world.farm.id, {
    kind,
    condition: kind === 'TakeLimit' ? 'above' : 'any',
    value: kind === 'TakeLimit' ? 80 : null,
    hold_min: 0,
  });
const allow = (values: object) =>
  db().updateTable('water_take').set(values).where('uid', '=', take.uid).execute();
const inPlace = (values: object) =>
  db().updateTable('take_meter').set(values).where('uid', '=', take.meterUid).execute();
/** Another meter of the take, at a place of its own. */
async function addMeter(name: string): Promise<void> {
  const { id: device_id } = await buildDevice(db(), world.farm.id, 'sensor', {
    name,
    type: sensorTypes.FLOW_PULSE,
  });
  const first = await db()
    .selectFrom('take_meter')
    .selectAll()
    .where('uid', '=', take.meterUid)
    .executeTakeFirstOrThrow();
  const { id: _id, ...like } = first;
  const uid = newUid(server.clock.now);
  await db()
    .insertInto('take_meter')
    .values({ ...like, uid, device_id, council_site: '123456M2' })
    .execute();
}
/** A counter that gains so much in each of so many quarters of an hour. */
const counts = (from: string, quarters: number, { of = meter, at = 1000, by = 3 } = {}) =>
  world.record(
    of,
    Array.from({ length: quarters + 1 }, (_none, index) => ({
      at: new Date(time(from).getTime() + index * QUARTER).toISOString(),
      values: { pulsesTotal: at + index * by },
    })),
  );
async function look(...times: string[]): Promise<void> {
  for (const at of times) {
    server.clock.now = time(at);
    await server.runJob('alerts of water takes');
    await server.runJob('alerts');
  }
}
const bell = async () =>
  (await server.call('GET /notifications', { headers: await server.signIn(world.owner) }))
    .json<{ list: { message: string }[] }>()
    .list.map(({ message }) => message.replace(/ (See under|Before midnight).*/, ''))
    .toReversed();

describe('a limit of a water take', () => {
  it('is told at 80 %, with when it is reached, and once more above it; the next day says nothing of its end', async () => {
    await rule('TakeLimit');
    await allow({ max_m3_day: 100 });
    await counts('11-20T12:00:00', 26);
    await look('11-20T18:35:00');
    expect(await bell()).toEqual([]);
    // 28 quarters of 3 m³; the 16 that are left last 80 minutes.
    await counts('11-20T18:45:00', 1, { at: 1081 });
    await look('11-20T19:00:10', '11-20T19:16:00');
    const NEAR =
      'Water take CRC1: 84 m³ of the 100 m³ of a day are used (84 %), as of 08:00. At the rate of now the limit is reached at 09:20.';
    expect(await bell()).toEqual([NEAR]);
    await counts('11-20T19:00:00', 7, { at: 1084 });
    await look('11-20T20:46:00', '11-20T21:02:00');
    const OVER =
      'Water take CRC1: 105 m³ were taken, above the 100 m³ of a day as of 09:45, by less than the meter may be wrong.';
    expect((await bell()).filter((message) => message !== NEAR)).toEqual([OVER]);
    // It stands still from then on.
    await counts('11-20T20:45:00', 180, { at: 1105, by: 0 });
    await look('11-22T12:01:00', '11-22T12:07:00');
    expect((await bell()).filter((message) => message !== NEAR && !message.startsWith(OVER))).toEqual([]);
    const open = await db()
      .selectFrom('alert_episode')
      .select('id')
      .where('farm_id', '=', world.farm.id)
      .where('state', '!=', 'ended')
      .execute();
    expect(open).toEqual([]);
  });

  it('is told of yesterday where its meter was heard late, and not at all of a meter that is silent', async () => {
    await rule('TakeLimit');
    await allow({ max_m3_day: 100 });
    await look('11-20T22:00:00');
    expect(await bell()).toEqual([]);
    await counts('11-20T12:00:00', 60, { by: 2 });
    await look('11-21T13:00:00');
    expect(await bell()).toEqual([
      'Water take CRC1: at least 120 m³ were taken, above the 100 m³ of a day yesterday.',
    ]);
  });

  it('of a day is told where its gateway was off for a weekend, once, and that of the year', async () => {
    await rule('TakeLimit');
    await inPlace({ starts_at: time('11-19T12:00:00') });
    await allow({ max_m3_day: 300, max_m3_year: 900 });
    // 2 m³ a quarter, 192 a day; the 22nd 384, and then nothing. It was silent meanwhile.
    await counts('11-19T12:00:00', 192, { by: 2 });
    await counts('11-21T12:15:00', 95, { at: 1388, by: 4 });
    await counts('11-22T12:15:00', 222, { at: 1768, by: 0 });
    await look('11-24T20:00:00', '11-24T20:16:00', '11-24T20:32:00');
    const ABOVE = 'Water take CRC1: 384 m³ were taken, above the 300 m³ of a day on Sun 22 Nov.';
    const NEAR = 'Water take CRC1: 768 m³ of the 900 m³ of the water year are used (85 %), as of 08:45.';
    expect(await bell()).toEqual([`${ABOVE} ${NEAR}`]);
    // Above all of it, which is told as well, once.
    await allow({ max_m3_year: 700 });
    await look('11-28T20:48:00', '11-29T20:00:00', '12-10T20:00:00', '12-10T20:20:00');
    const told = await db()
      .selectFrom('alert_episode')
      .select(['state', 'facts'])
      .where('farm_id', '=', world.farm.id)
      .orderBy('id')
      .execute();
    expect(told).toHaveLength(3);
    expect(told).toEqual(
      expect.arrayContaining([
        { state: 'ended', facts: expect.objectContaining({ fault: NEAR.slice(17) }) },
        { state: 'ended', facts: expect.objectContaining({ fault: ABOVE.slice(17) }) },
        {
          state: 'ended',
          facts: expect.objectContaining({
            fault: expect.stringMatching(/768 m³ were taken, above the 700 m³ of the water year/),
          }),
        },
      ]),
    );
  });

  it('by rate is two quarters of an hour above it by more than the meter may be wrong', async () => {
    await rule('TakeLimit');
    // 20 L/s are 18 m³ a quarter, and 18.9 with what the meter may be wrong by.
    await counts('11-20T19:00:00', 2, { by: 18 });
    await counts('11-20T19:45:00', 0, { at: 1055 });
    await look('11-20T19:46:00');
    expect(await bell()).toEqual([]);
    await counts('11-20T20:00:00', 0, { at: 1074 });
    await look('11-20T20:02:00');
    expect(await bell()).toEqual([
      'Water take CRC1: 21.1 L/s were taken in the half hour to 09:00, above the 20 L/s that may be.',
    ]);
  });

  it('by rate is told where one meter alone is above it and nothing is known of another, and never said to be kept', async () => {
    await rule('TakeLimit');
    await addMeter('Silent');
    await counts('11-20T19:00:00', 2, { by: 19 });
    // For half an hour a silent meter may still speak.
    await look('11-20T20:03:00');
    expect(await bell()).toEqual([
      'Water take CRC1: at least 21.1 L/s were taken in the half hour to 08:30, above the 20 L/s that may be.',
    ]);
    // Less at the one that speaks says nothing of both: it stays open.
    await counts('11-20T19:45:00', 4, { at: 1039, by: 1 });
    await look('11-20T21:18:00');
    const states = await db()
      .selectFrom('alert_episode')
      .select('state')
      .where('farm_id', '=', world.farm.id)
      .execute();
    expect(states).toEqual([{ state: 'firing' }]);
  });

  it('is nothing while a restriction lets nothing be taken', async () => {
    await rule('TakeLimit');
    const cease = {
      from: time('11-20T19:00:00'),
      to: time('11-25T00:00:00'),
      kind: 'cease',
      percent: 0,
      note: '',
    };
    await allow({ restrictions: JSON.stringify([cease]) });
    await counts('11-20T19:00:00', 2, { by: 1 });
    await look('11-20T19:33:00');
    expect(await bell()).toEqual([
      'Water take CRC1: 1.1 L/s were taken in the half hour to 08:30, though nothing may be taken now.',
    ]);
  });

  it('is none after a restarted counter, and of what is taken after the end of the consent all is told', async () => {
    await rule('TakeLimit');
    await allow({ max_m3_day: 100, valid_to: '2026-11-20' });
    await counts('11-20T12:00:00', 4, { at: 90_000 });
    await counts('11-20T13:15:00', 4, { at: 0, by: 1 });
    await look('11-20T14:17:00');
    expect(await bell()).toEqual(['Water take CRC1: 16 m³ were taken today, though its consent is over.']);
  });
});

describe('a gap of a water take', () => {
  const of20 = async () => {
    await rule('TakeGap');
    await inPlace({ starts_at: time('11-19T12:00:00') });
    await counts('11-19T12:00:00', 60);
  };
  const MISSING =
    'Water take CRC1: 36 of 96 quarters of an hour of Fri 20 Nov are missing, and Bore 1 has said nothing since Fri 20 Nov, 16:00.';

  it('of yesterday is told at 18:00 where the meter is silent still, and what comes late is its end', async () => {
    await of20();
    await look('11-21T04:59:00');
    expect(await bell()).toEqual([]);
    await look('11-21T05:14:30');
    expect(await bell()).toEqual([MISSING]);
    await counts('11-20T03:00:00', 106, { at: 1180, by: 0 });
    await look('11-21T05:30:00', '11-21T05:46:00');
    expect((await bell()).slice(1)).toEqual(['What was missing has come.']);
  });

  it('is over where the meter speaks again, with its total', async () => {
    await of20();
    await look('11-21T05:00:30');
    await counts('11-21T05:15:00', 1, { at: 1500 });
    await look('11-21T05:31:00', '11-21T05:47:00');
    expect((await bell()).slice(1)).toEqual([
      'Its meter speaks again: the total is known, the quarters stay missing.',
    ]);
  });

  it('is not told where somebody noted why, nor of what the counter tells by itself', async () => {
    await of20();
    await db()
      .insertInto('take_note')
      .values({
        farm_id: world.farm.id,
        take_id: (
          await db()
            .selectFrom('water_take')
            .select('id')
            .where('uid', '=', take.uid)
            .executeTakeFirstOrThrow()
        ).id,
        from_at: time('11-20T03:00:00'),
        to_at: time('11-20T12:00:00'),
        note: 'Lightning',
        account_id: null,
      })
      .execute();
    await look('11-21T05:01:30');
    await db().deleteFrom('take_note').where('farm_id', '=', world.farm.id).execute();
    await counts('11-21T04:45:00', 1, { at: 1500 });
    await look('11-21T05:17:30');
    expect(await bell()).toEqual([]);
  });

  it('is told where a counter began anew, since not even its total is known', async () => {
    await of20();
    await counts('11-20T03:15:00', 104, { at: 0, by: 0 });
    await look('11-21T05:02:30');
    expect(await bell()).toEqual([
      'Water take CRC1: 1 of 96 quarters of an hour of Fri 20 Nov is missing, and not even what was taken in all is known.',
    ]);
  });

  it('is none where the meter was swapped, though the old one says nothing any more', async () => {
    await of20();
    const other = await buildDevice(db(), world.farm.id, 'sensor', {
      name: 'Bore 2',
      type: sensorTypes.FLOW_PULSE,
    });
    await inPlace({ ends_at: time('11-20T03:00:00') });
    const known = await db()
      .selectFrom('take_meter')
      .selectAll()
      .where('uid', '=', take.meterUid)
      .executeTakeFirstOrThrow();
    const { id: _id, ...values } = known;
    await db()
      .insertInto('take_meter')
      .values({
        ...values,
        uid: `${known.uid.slice(0, -4)}0002`,
        device_id: other.id,
        starts_at: time('11-20T03:00:00'),
        ends_at: null,
      })
      .execute();
    await counts('11-20T03:00:00', 104, { of: other, at: 7 });
    await look('11-21T05:03:30');
    expect(await bell()).toEqual([]);
  });

  it('is not told at night, nor in the evening where the meter fell silent after six', async () => {
    await of20();
    await counts('11-21T04:45:00', 1, { at: 1500 });
    // 21:00, and 03:10 of the next day.
    await look('11-21T05:00:30', '11-21T08:00:00', '11-21T14:10:00', '11-21T14:26:00');
    expect(await bell()).toEqual([]);
  });

  it('is told later in the evening where nobody looked at six', async () => {
    await of20();
    await look('11-21T08:00:00');
    expect(await bell()).toEqual([MISSING]);
  });

  it('is told where another alert of the farm can’t be looked at', async () => {
    await rule('TakeLimit');
    await of20();
    await allow({ restrictions: '{}' });
    await look('11-21T05:14:30');
    expect(await bell()).toEqual([MISSING]);
  });

  it('is looked at by the farm’s clock also on the day on which that was put forward', async () => {
    await rule('TakeGap');
    // 18:00 is 06:00Z on 26 September, and 05:00Z on the 27th.
    await inPlace({ starts_at: time('09-25T12:00:00') });
    await counts('09-25T12:00:00', 84);
    await look('09-27T04:58:00');
    expect(await bell()).toEqual([]);
    await look('09-27T05:14:00');
    expect(await bell()).toEqual([
      'Water take CRC1: 12 of 96 quarters of an hour of Sat 26 Sep are missing, and Bore 1 has said nothing since 21:00.',
    ]);
  });
});
