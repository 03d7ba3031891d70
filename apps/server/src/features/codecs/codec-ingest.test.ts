import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import examples from '../../../../../packages/device/fixtures/codec-examples.json' with { type: 'json' };
import { buildCodec, buildTank } from '../../testing/factories.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { builtInCodecs } from './built-in-codecs.ts';
import { createCodecRunner } from './codec-runner.ts';
import { createCodecsRepo } from './codecs.repo.ts';
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts';
import { SANDBOX_LIMITS } from './sandbox/sandbox-job.ts';

let database: TestDatabase;
let sandbox: Sandbox;
let kit: IngestKit;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  sandbox = createSandbox({ limits: { ...SANDBOX_LIMITS, runMs: 400 }, watchdogMs: 2000, threads: 1 });
  const decoder = createCodecRunner(createCodecsRepo(database.db), {
    sandbox,
    now: () => kit.clock.now,
    log: { warn: () => {} },
    onSwitchedOff: (farmId) => kit.ingest.forget(farmId),
  });
  kit = await createIngestKit({ decoder }, database);
});
afterEach(async () => {
  await kit.close();
  await sandbox.close();
});

const endless = 'function decodeUplink() { for (;;); }';
let count = 0;
const newEui = () => `A84041FFFF${(count += 1).toString(16).toUpperCase().padStart(6, '0')}`;

/** A sensor that a codec of the farm or a built-in one decodes. */
async function sensor(codec: { id: number } | string, mapping?: object[]): Promise<string> {
  const mac = newEui();
  const { id } = await buildTank(database.db, kit.farm.id, {
    mac,
    ...(mapping && { mapping: JSON.stringify(mapping) }),
  });
  const choice = typeof codec === 'string' ? { builtin_codec: codec } : { codec_id: codec.id };
  await database.db.updateTable('device').set(choice).where('id', '=', id).execute();
  return mac;
}

/** As ChirpStack sends it undecoded. */
function send(mac: string, hex: string, { fPort = 1, at = '2026-11-20T20:14:07Z', object }: Sent = {}) {
  const eui = mac.toLowerCase();
  const body = {
    time: at,
    deviceInfo: { devEui: eui },
    fPort,
    fCnt: 7,
    data: Buffer.from(hex, 'hex').toString('base64'),
    ...(object && { object }),
  };
  return kit.send('', body, {
    topic: `application/app/device/${eui}/event/up`,
    sender: { kind: 'network', farmId: kit.farm.id, keyId: 1 },
  });
}
interface Sent {
  fPort?: number;
  at?: string;
  object?: object;
}

async function values(mac: string): Promise<Record<string, number | null>> {
  const rows = await database.db
    .selectFrom('latest as l')
    .innerJoin('series as s', 's.id', 'l.series_id')
    .innerJoin('device as d', 'd.id', 's.device_id')
    .where('d.mac', '=', mac)
    .select(['s.metric', 'l.value'])
    .execute();
  return Object.fromEntries(rows.map(({ metric, value }) => [metric, value]));
}
const reasons = async () => (await kit.deadLetters()).map(({ reason }) => reason);
const uplinks = () => database.db.selectFrom('last_uplink').selectAll().execute();

describe('a sensor with a built-in codec', () => {
  // One of each vendor, and the station with most values.
  const chosen = [
    'decentlab-dl-ctd10',
    'decentlab-dl-atm41',
    'aquascope-bvs',
    'dragino-lse01',
    'milesight-uc511',
  ];
  it.each(examples.filter(({ codec }) => chosen.includes(codec)))(
    '$codec stores what its vendor expects of $bytes',
    async ({ codec, bytes, fPort, readings }) => {
      const mac = await sensor(codec);
      const sent = send(mac, bytes, { fPort });
      await kit.ingest.drain(60_000);
      const expected = Object.entries(readings).map(([name, value]) => [name, Number(value)]);
      expect(await values(mac)).toEqual(Object.fromEntries(expected));
      expect([await reasons(), sent.isAcknowledged]).toEqual([[], true]);
    },
  );

  it('uses the mapping of the sensor where it has one, with names of its own', async () => {
    const mac = await sensor('decentlab-dl-ctd10', [
      { path: 'water_depth.value', metric: 'levelMm', offset: 100 },
      { path: 'freezing_flag.value', metric: 'custom.freezing', name: 'Freezing' },
    ]);
    send(mac, '0207D9000390888081006400000C60');
    await kit.ingest.drain(60_000);
    expect(await values(mac)).toEqual({ levelMm: 4332, 'custom.freezing': 0 });
    expect(builtInCodecs().get('decentlab-dl-ctd10')?.mapping).not.toEqual([]);
  });
});

describe('a sensor with a codec of the farm', () => {
  it('is decoded by it, also when the network server decoded something itself, at the time of receipt', async () => {
    const script = `function decodeUplink({ bytes, fPort, recvTime }) {
      return { data: { levelMm: bytes[0], flowLpm: fPort, temperatureC: recvTime.getUTCMinutes() } };
    }`;
    const mac = await sensor(await buildCodec(database.db, kit.farm.id, script));
    send(mac, '2A', { fPort: 5, object: { levelMm: 1 } });
    await kit.ingest.drain(60_000);
    expect(await values(mac)).toEqual({ levelMm: 42, flowLpm: 5, temperatureC: 14 });
  });

  it('keeps its newest uplink with what was made of it, whatever came late or could not be read', async () => {
    const script = `function decodeUplink({ bytes }) {
      return bytes[0] ? { data: { levelMm: bytes[0], odd: 'a\\u0000b' }, warnings: ['low'] } : { errors: ['empty', 'bad'] };
    }`;
    const mac = await sensor(await buildCodec(database.db, kit.farm.id, script));
    send(mac, '0A', { at: '2026-11-20T20:20:00Z' });
    send(mac, '0B', { at: '2026-11-20T20:10:00Z' });
    await kit.ingest.drain(60_000);
    const at = new Date('2026-11-20T20:20:00Z');
    expect(await uplinks()).toMatchObject([
      {
        at,
        f_port: 1,
        f_cnt: '7',
        bytes: Buffer.from([10]),
        object: { levelMm: 10, odd: 'a\0b' },
        warnings: ['low'],
      },
    ]);
    send(mac, '00', { at: '2026-11-20T20:30:00Z' });
    await kit.ingest.drain(60_000);
    const problem = expect.stringMatching(/^codec Codec \d+: empty; bad$/) as string;
    expect(await uplinks()).toMatchObject([{ object: null, problems: [problem], bytes: Buffer.from([0]) }]);
    expect(await reasons()).toEqual([expect.stringMatching(/^not decoded: codec Codec \d+: empty; bad$/)]);
  });

  it.each([
    ['an endless loop', 'for (;;);', 'it took too long'],
    ['a text without end', 'new Array(2 ** 28).join("x");', 'it took too long'],
    ['endless recursion', 'decodeUplink({ bytes });', 'stack overflow'],
    [
      '10,000 fields',
      'const d = {}; for (let i = 0; i < 1e4; i += 1) d["f" + i] = i; return { data: d };',
      '10000 members',
    ],
    ['nothing', '', 'it returned no object'],
  ])('that answers with %s costs that message and is said so', async (_what, body, reason) => {
    const script = `function decodeUplink({ bytes }) { if (bytes[0]) return { data: { levelMm: 7 } }; ${body} }`;
    const mac = await sensor(await buildCodec(database.db, kit.farm.id, script));
    const sent = [send(mac, '00'), send(mac, '01', { at: '2026-11-20T20:15:00Z' })];
    await kit.ingest.drain(60_000);
    expect(await values(mac)).toEqual({ levelMm: 7 });
    expect(await reasons()).toEqual([expect.stringContaining(reason)]);
    expect(sent.map(({ isAcknowledged }) => isAcknowledged)).toEqual([true, true]);
  });

  it('keeps others waiting neither for it nor for its queue', async () => {
    const slow = await sensor(await buildCodec(database.db, kit.farm.id, endless));
    const good = await sensor('decentlab-dl-ctd10');
    const stuck = [1, 2, 3, 4].map((minute) => send(slow, '00', { at: `2026-11-20T20:0${minute}:00Z` }));
    const read = send(good, '0207D9000390888081006400000C60');
    const level = kit.send('up/sensor', {
      items: [{ mac: kit.tank.mac, at: '2026-11-20T20:00:00Z', values: { levelMm: 5 } }],
    });
    await expect.poll(() => level.isAcknowledged).toBe(true);
    // Nothing of the slow codec can have ended: its first message alone takes 400 ms, and the thread has to start.
    expect(stuck.map(({ isAcknowledged }) => isAcknowledged)).toContain(false);
    await expect.poll(() => read.isAcknowledged, { timeout: 5000 }).toBe(true);
    expect(stuck.at(-1)?.isAcknowledged).toBe(false);
    await kit.ingest.drain(60_000);
    expect(stuck.every(({ isAcknowledged }) => isAcknowledged)).toBe(true);
  });

  it('is switched off when it took too long five times in a row, with the reason, and runs no more', async () => {
    const script =
      'function decodeUplink({ bytes }) { if (bytes[0]) return { data: { levelMm: 1 } }; for (;;); }';
    const codec = await buildCodec(database.db, kit.farm.id, script);
    const mac = await sensor(codec);
    const offAt = async () =>
      (await database.db.selectFrom('codec').select(['off_at', 'off_reason']).executeTakeFirstOrThrow())
        .off_at;
    for (const [index, hex] of ['00', '00', '00', '00', '01', '00', '00', '00', '00'].entries())
      send(mac, hex, { at: `2026-11-20T20:1${index}:00Z` });
    await kit.ingest.drain(60_000);
    expect(await offAt()).toBeNull();
    send(mac, '00', { at: '2026-11-20T20:20:00Z' });
    await kit.ingest.drain(60_000);
    expect(await database.db.selectFrom('codec').select(['off_at', 'off_reason']).execute()).toEqual([
      { off_at: kit.clock.now, off_reason: 'it took too long 5 times in a row' },
    ]);
    send(mac, '01', { at: '2026-11-20T20:21:00Z' });
    await kit.ingest.drain(60_000);
    expect((await reasons()).at(-1)).toContain('it is switched off: it took too long 5 times in a row');
  });

  it('that fails to be read loses nothing: what it has to decode waits for the database', async () => {
    const mac = await sensor(await buildCodec(database.db, kit.farm.id));
    await database.pool.query('alter table codec_version rename to codec_version_away');
    const sent = send(mac, '0102');
    await expect.poll(() => kit.failures.length).toBeGreaterThan(0);
    expect(sent.isAcknowledged).toBe(false);
    await database.pool.query('alter table codec_version_away rename to codec_version');
    await kit.ingest.drain(60_000);
    expect([await values(mac), sent.isAcknowledged]).toEqual([{ levelMm: 2 }, true]);
  });
});
