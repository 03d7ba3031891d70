import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeviceRow } from '../../db/schema.ts';
import { buildCodec, buildTank } from '../../testing/factories.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { chirpstackUplink, networkServerOf, type UplinkContent } from '../../testing/uplinks.ts';
import { createCodecRunner } from '../codecs/codec-runner.ts';
import { createCodecsRepo } from '../codecs/codecs.repo.ts';
import { createSandbox, type Sandbox } from '../codecs/sandbox/sandbox.ts';
import { createStoredUplinksRepo } from '../codecs/stored-uplinks.repo.ts';
import { countLevelDays } from '../tanks/count-level-days.ts';

const mac = 'A84041FFFF1829D3';
/** The level in cm, as if it were mm; a temperature that is none. */
const wrong = 'function decodeUplink({ bytes }) { return { data: { levelMm: bytes[0], temperatureC: 0 } }; }';
const right = `function decodeUplink({ bytes }) {
  return bytes[0] === 99 ? { errors: ['a status frame'] } : { data: { levelMm: 10 * bytes[0], batteryV: bytes[1] / 10 } };
}`;

let database: TestDatabase;
let sandbox: Sandbox;
let kit: IngestKit;
let sensor: DeviceRow;
let sensorId: number;
let codecId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  sandbox = createSandbox({ threads: 1 });
});
afterAll(async () => {
  await sandbox.close();
  await database.close();
});
beforeEach(async () => {
  kit = await openKit();
  sensor = await buildTank(database.db, kit.farm.id, { mac });
  sensorId = sensor.id;
  codecId = (await buildCodec(database.db, kit.farm.id, wrong)).id;
  await database.db.updateTable('device').set({ codec_id: codecId }).where('id', '=', sensorId).execute();
});
afterEach(() => kit.close());

function openKit(there?: IngestKit['farm']): Promise<IngestKit> {
  const decoder = createCodecRunner(createCodecsRepo(database.db), {
    sandbox,
    threads: 1,
    now: () => kit.clock.now,
    log: { warn: () => {} },
    onSwitchedOff: () => {},
  });
  return createIngestKit({ decoder }, database, there);
}

function send(hex: string, at: string, content: UplinkContent = {}) {
  const { topic, body } = chirpstackUplink(mac, hex, { at, ...content });
  return kit.send(
    '',
    { ...body, rxInfo: [{ gatewayId: 'a1', rssi: -97, snr: 6 }] },
    { topic, sender: networkServerOf(kit.farm.id) },
  );
}

async function mend(script = right): Promise<void> {
  const change = { name: undefined, script, enable: false };
  await createCodecsRepo(database.db).update(kit.farm.id, codecId, change, kit.clock.now);
  kit.ingest.forget(kit.farm.id);
}

/** As the long job does. */
async function askAnew(): Promise<void> {
  const stored = createStoredUplinksRepo(database.db);
  const { now } = kit.clock;
  const { run } = await stored.askAnew(sensor, { accountId: kit.farm.owner_id, now });
  await stored.beginAnew(kit.farm.id, { deviceId: sensorId, run }, now);
}

async function decodeAnew(): Promise<void> {
  await askAnew();
  kit.ingest.wakeDecoding();
  await kit.decoded();
}

const progress = () =>
  database.db
    .selectFrom('decode_anew')
    .select(['total', 'done', 'changed', 'failed', 'problem', 'finished_at'])
    .executeTakeFirst();

async function readings(metric: string): Promise<[at: string, value: number | null][]> {
  const rows = await database.db
    .selectFrom('reading as r')
    .innerJoin('series as s', 's.id', 'r.series_id')
    .where('s.device_id', '=', sensorId)
    .where('s.metric', '=', metric)
    .select(['r.at', 'r.value'])
    .orderBy('r.at')
    .execute();
  return rows.map(({ at, value }) => [at.toISOString().slice(11, 16), value]);
}

const rollups = (table: 'reading_hour' | 'reading_day', metric: string) =>
  database.db
    .selectFrom(table)
    .innerJoin('series as s', 's.id', `${table}.series_id`)
    .where('s.device_id', '=', sensorId)
    .where('s.metric', '=', metric)
    .select(['n', 'min', 'max', 'sum', 'falls', 'rises', 'last_value'])
    .orderBy('at')
    .execute();

const latest = async () => {
  const rows = await database.db
    .selectFrom('latest as l')
    .innerJoin('series as s', 's.id', 'l.series_id')
    .where('s.device_id', '=', sensorId)
    .where('s.metric', 'not in', ['rssiDbm', 'snrDb'])
    .select(['s.metric', 'l.value', 'l.valid_value'])
    .orderBy('s.metric')
    .execute();
  return rows.map(({ metric, value, valid_value }) => [metric, value, valid_value]);
};

describe("a sensor's last 30 days decoded anew", () => {
  beforeEach(async () => {
    send('7820', '2026-11-20T18:10:00Z');
    send('6E21', '2026-11-20T18:40:00Z');
    send('7322', '2026-11-20T19:10:00Z');
    await kit.decoded();
  });

  it('have the values of the mended codec at their times, and nothing of what the old one made up', async () => {
    expect(await readings('levelMm')).toEqual([
      ['18:10', 120],
      ['18:40', 110],
      ['19:10', 115],
    ]);
    await mend();
    await decodeAnew();
    expect(await readings('levelMm')).toEqual([
      ['18:10', 1200],
      ['18:40', 1100],
      ['19:10', 1150],
    ]);
    expect(await readings('batteryV')).toEqual([
      ['18:10', 3.2],
      ['18:40', 3.3],
      ['19:10', 3.4],
    ]);
    expect(await readings('temperatureC')).toEqual([]);
    expect(await readings('rssiDbm')).toHaveLength(3);
    expect(await progress()).toEqual({
      total: 3,
      done: 3,
      changed: 3,
      failed: 0,
      problem: null,
      finished_at: kit.clock.now,
    });
    // Pages are told after it is stored.
    await expect
      .poll(() => kit.events.at(-1))
      .toMatchObject({ type: 'tank_level', updatedAt: new Date('2026-11-20T19:10:00Z') });
  });

  it('have hours, days and latest values that agree with them', async () => {
    await mend();
    await decodeAnew();
    // 1200, 1100 | 1150: the second hour rises by 50 from the reading before it.
    const hours = [
      { n: 2, min: 1100, max: 1200, sum: 2300, falls: 100, rises: 0, last_value: 1100 },
      { n: 1, min: 1150, max: 1150, sum: 1150, falls: 0, rises: 50, last_value: 1150 },
    ];
    expect(await rollups('reading_hour', 'levelMm')).toEqual(hours);
    expect(await rollups('reading_day', 'levelMm')).toEqual([
      { n: 3, min: 1100, max: 1200, sum: 3450, falls: 100, rises: 50, last_value: 1150 },
    ]);
    expect([
      await rollups('reading_hour', 'temperatureC'),
      await rollups('reading_day', 'temperatureC'),
    ]).toEqual([[], []]);
    expect(await latest()).toEqual([
      ['batteryV', 3.4, 3.4],
      ['levelMm', 1150, 1150],
      ['temperatureC', null, null],
    ]);
  });

  it('count what left the tank anew', async () => {
    kit.clock.now = new Date('2026-11-22T21:00:00Z');
    send('5A20', '2026-11-22T18:10:00Z');
    await kit.decoded();
    await countLevelDays(database.db, kit.clock.now);
    const falls = async () =>
      (await database.db.selectFrom('level_day').select('fall').orderBy('at').execute()).map(({ fall }) =>
        Math.round(fall),
      );
    const before = await falls();
    await mend();
    await decodeAnew();
    await countLevelDays(database.db, kit.clock.now);
    const after = await falls();
    // As if nothing had been counted before.
    await database.pool.query('truncate level_day');
    await countLevelDays(database.db, kit.clock.now);
    expect(after).toEqual(await falls());
    expect(before.reduce((sum, fall) => sum + fall, 0)).toBeLessThan(36);
    expect(after.reduce((sum, fall) => sum + fall, 0)).toBeGreaterThan(280);
  });

  it('keep the old values of what can not be decoded now, and say how many and why', async () => {
    send('6320', '2026-11-20T19:40:00Z');
    await kit.decoded();
    await mend();
    await decodeAnew();
    expect((await readings('levelMm')).at(-1)).toEqual(['19:40', 99]);
    expect((await readings('temperatureC')).at(-1)).toEqual(['19:40', 0]);
    expect(await progress()).toMatchObject({
      total: 4,
      done: 4,
      changed: 3,
      failed: 1,
      problem: expect.stringContaining('a status frame') as string,
    });
    expect(await kit.deadLetters()).toEqual([]);
  });

  it('are those of the mapping of now where the network server decodes', async () => {
    const set = (mapping: object[] | null) =>
      database.db
        .updateTable('device')
        .set({ codec_id: null, mapping: mapping && JSON.stringify(mapping) })
        .where('id', '=', sensorId)
        .execute();
    await set([{ path: 'd', metric: 'levelMm' }]);
    kit.ingest.forget(kit.farm.id);
    send('01', '2026-11-20T20:10:00Z', { object: { d: 150 } });
    await kit.decoded();
    await set([{ path: 'd', metric: 'levelMm', scale: 10 }]);
    kit.ingest.forget(kit.farm.id);
    await decodeAnew();
    expect((await readings('levelMm')).at(-1)).toEqual(['20:10', 1500]);
    // The others came without a decoded object.
    expect(await progress()).toMatchObject({ total: 4, changed: 1, failed: 3 });
  });

  it('are only those: what came by a gateway stays, and so do values of times of which nothing is kept', async () => {
    await kit.store('up/sensor', {
      items: [{ mac, at: '2026-11-20T18:20:00Z', values: { levelMm: 7, temperatureC: 21 } }],
    });
    await mend();
    await decodeAnew();
    expect(await readings('temperatureC')).toEqual([['18:20', 21]]);
    expect(await readings('levelMm')).toContainEqual(['18:20', 7]);
  });

  it('go on after a restart, and begin from the beginning when they are asked for again', async () => {
    kit.ingest.decode(false);
    await askAnew();
    await mend();
    await askAnew();
    expect(await progress()).toMatchObject({ total: 3, done: 0, finished_at: null });
    await kit.ingest.stop();
    kit = await openKit(kit.farm);
    await kit.decoded();
    expect((await readings('levelMm')).map(([, value]) => value)).toEqual([1200, 1100, 1150]);
    expect(await progress()).toMatchObject({ total: 3, done: 3, changed: 3 });
  });

  it('that say the same as before change nothing', async () => {
    const before = await rollups('reading_hour', 'levelMm');
    const events = kit.events.length;
    await decodeAnew();
    expect(await progress()).toMatchObject({ total: 3, done: 3, changed: 0, failed: 0 });
    expect([await rollups('reading_hour', 'levelMm'), kit.events.length]).toEqual([before, events]);
  });
});
