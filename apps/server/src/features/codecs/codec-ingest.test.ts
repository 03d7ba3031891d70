import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import examples from '../../../../../packages/device/fixtures/codec-examples.json' with { type: 'json' };
import { buildCodec, buildTank } from '../../testing/factories.ts';
import { createIngestKit, type IngestKit } from '../../testing/ingest-kit.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { chirpstackUplink, networkServerOf, type UplinkContent } from '../../testing/uplinks.ts';
import type { UplinkDecoder } from '../readings/uplink-decoder.ts';
import { builtInCodecs } from './built-in-codecs.ts';
import { createCodecRunner } from './codec-runner.ts';
import { createCodecsRepo } from './codecs.repo.ts';
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts';
import { SANDBOX_LIMITS } from './sandbox/sandbox-job.ts';

let database: TestDatabase;
/** A thread of its own takes a second to start: those that are patient share one. */
let patient: Sandbox;
let kit: IngestKit;
let decoder: UplinkDecoder;
const sandboxOf = (runMs: number) =>
  createSandbox({ limits: { ...SANDBOX_LIMITS, runMs }, watchdogMs: runMs + 2000, threads: 1 });
beforeAll(async () => {
  database = await createTestDatabase();
  // A busy machine must not make a good codec too slow.
  patient = sandboxOf(20_000);
});
afterAll(async () => {
  await patient.close();
  await database.close();
});
beforeEach(() => open(patient));
afterEach(() => kit.close());

async function open(sandbox: Sandbox): Promise<void> {
  decoder = createCodecRunner(createCodecsRepo(database.db), {
    sandbox,
    threads: 1,
    now: () => kit.clock.now,
    log: { warn: () => {} },
    onSwitchedOff: (farmId) => kit.ingest.forget(farmId),
  });
  kit = await createIngestKit({ decoder }, database);
}

/** For codecs that take too long: as patient as a server is, so that the test needn't wait for them. */
async function hurry(): Promise<void> {
  await kit.close();
  const sandbox = sandboxOf(SANDBOX_LIMITS.runMs);
  onTestFinished(() => sandbox.close());
  await open(sandbox);
}

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
function send(mac: string, hex: string, content: UplinkContent = {}) {
  const { topic, body } = chirpstackUplink(mac, hex, content);
  return kit.send('', body, { topic, sender: networkServerOf(kit.farm.id) });
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
/** Uplinks of the sensor that are stored and not decoded. */
async function waiting(mac: string): Promise<number> {
  const rows = await database.db
    .selectFrom('uplink_due as u')
    .innerJoin('device as d', 'd.id', 'u.device_id')
    .where('d.mac', '=', mac)
    .select('u.uplink_id')
    .execute();
  return rows.length;
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
      await kit.decoded();
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
    await kit.decoded();
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
    await kit.decoded();
    expect(await values(mac)).toEqual({ levelMm: 42, flowLpm: 5, temperatureC: 14 });
  });

  it('as a store ships it is decoded with its normalizer, which names the values', async () => {
    const script = `const read = ({ bytes }) => ({ data: { t: Buffer.from(bytes).readInt16BE(0) / 10 } });
      exports.decodeUplink = read;
      exports.normalizeUplink = ({ data }) => ({ data: [{ air: { temperature: data.t } }] });`;
    const mac = await sensor(await buildCodec(database.db, kit.farm.id, script));
    send(mac, '00D7');
    await kit.decoded();
    expect(await values(mac)).toEqual({ temperatureC: 21.5 });
    expect(await uplinks()).toMatchObject([
      { object: { t: 21.5, normalized_payload: [{ air: { temperature: 21.5 } }] } },
    ]);
  });

  it('gives 64 values of its own, found in a list by their names', async () => {
    const script = `exports.decodeUplink = ({ bytes }) => ({ data: { channels: Array.from({ length: 64 }, (_, n) =>
      ({ name: 'c' + n, value: n + bytes[0] })).reverse() } });`;
    const lines = Array.from({ length: 64 }, (_, n) => ({
      path: `channels[?@.name=="c${n}"].value`,
      metric: `custom.c${n}`,
    }));
    const mac = await sensor(await buildCodec(database.db, kit.farm.id, script), lines);
    send(mac, '0A');
    await kit.decoded();
    const expected = Array.from({ length: 64 }, (_, n) => [`custom.c${n}`, n + 10]);
    expect(await values(mac)).toEqual(Object.fromEntries(expected));
  });

  it('keeps its newest uplink with what was made of it, whatever came late or could not be read', async () => {
    const script = `function decodeUplink({ bytes }) {
      return bytes[0] ? { data: { levelMm: bytes[0], odd: 'a\\u0000b' }, warnings: ['low'] } : { errors: ['empty', 'bad'] };
    }`;
    const mac = await sensor(await buildCodec(database.db, kit.farm.id, script));
    send(mac, '0A', { at: '2026-11-20T20:20:00Z' });
    send(mac, '0B', { at: '2026-11-20T20:10:00Z' });
    await kit.decoded();
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
    await kit.decoded();
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
    if (reason === 'it took too long') await hurry();
    const script = `function decodeUplink({ bytes }) { if (bytes[0]) return { data: { levelMm: 7 } }; ${body} }`;
    const mac = await sensor(await buildCodec(database.db, kit.farm.id, script));
    const sent = [send(mac, '00'), send(mac, '01', { at: '2026-11-20T20:15:00Z' })];
    await kit.decoded();
    expect(await values(mac)).toEqual({ levelMm: 7 });
    expect(await reasons()).toEqual([expect.stringContaining(reason)]);
    expect(sent.map(({ isAcknowledged }) => isAcknowledged)).toEqual([true, true]);
  });

  it('keeps others of the farm waiting neither for it nor for its queue, and everything is acknowledged before', async () => {
    await hurry();
    const slow = await sensor(await buildCodec(database.db, kit.farm.id, endless));
    const good = await sensor('decentlab-dl-ctd10');
    const stuck = [1, 2, 3, 4].map((minute) => send(slow, '00', { at: `2026-11-20T20:0${minute}:00Z` }));
    const read = send(good, '0207D9000390888081006400000C60');
    await kit.ingest.drain();
    expect([...stuck, read].every(({ isAcknowledged }) => isAcknowledged)).toBe(true);
    await expect.poll(() => values(good), { timeout: 30_000 }).toMatchObject({ levelMm: 4232 });
    expect(await waiting(slow)).toBeGreaterThan(0);
    await kit.decoded();
    expect(await reasons()).toEqual([expect.stringContaining('it took too long')]);
  });

  it('has told that the sensor was heard, and when, before its codec has run', async () => {
    await hurry();
    const mac = await sensor(await buildCodec(database.db, kit.farm.id, endless));
    kit.ingest.decode(false);
    send(mac, '00');
    await kit.ingest.drain();
    const contact = await database.db.selectFrom('device_fact').select(['name', 'at']).execute();
    expect(contact).toContainEqual({ name: 'contact', at: new Date('2026-11-20T20:14:07Z') });
    expect([await waiting(mac), await uplinks()]).toEqual([1, []]);
    kit.ingest.decode(true);
    await kit.decoded();
  });

  it('is decoded once however often its message comes, and by whichever server is there', async () => {
    const mac = await sensor(
      await buildCodec(database.db, kit.farm.id, "function decodeUplink() { return { errors: ['no'] }; }"),
    );
    const other = await createIngestKit({ decoder }, database, kit.farm);
    for (let again = 0; again < 3; again += 1) send(mac, '0102');
    await kit.ingest.drain();
    send(mac, '0102');
    await kit.decoded();
    send(mac, '0102');
    await kit.decoded();
    await other.close();
    const stored = await database.db.selectFrom('uplink').select(['device_id', 'topic', 'key_id']).execute();
    expect(stored).toMatchObject([{ key_id: 1 }]);
    expect(await reasons()).toHaveLength(1);
    expect(await database.db.selectFrom('uplink_count').select(['kept', 'waiting']).execute()).toEqual([
      { kept: 1, waiting: 0 },
    ]);
  });

  it('is switched off when it took too long five times in a row, with the reason, and runs no more', async () => {
    await hurry();
    const script =
      'function decodeUplink({ bytes }) { if (bytes[0]) return { data: { levelMm: 1 } }; for (;;); }';
    const codec = await buildCodec(database.db, kit.farm.id, script);
    const mac = await sensor(codec);
    const offAt = async () =>
      (await database.db.selectFrom('codec').select(['off_at', 'off_reason']).executeTakeFirstOrThrow())
        .off_at;
    for (const [index, hex] of ['00', '00', '00', '00', '01', '00', '00', '00', '00'].entries())
      send(mac, hex, { at: `2026-11-20T20:1${index}:00Z` });
    await kit.decoded();
    expect(await offAt()).toBeNull();
    send(mac, '00', { at: '2026-11-20T20:20:00Z' });
    await kit.decoded();
    expect(await database.db.selectFrom('codec').select(['off_at', 'off_reason']).execute()).toEqual([
      { off_at: kit.clock.now, off_reason: 'it took too long 5 times in a row' },
    ]);
    send(mac, '01', { at: '2026-11-20T20:21:00Z' });
    await kit.decoded();
    expect((await reasons()).at(-1)).toContain('it is switched off: it took too long 5 times in a row');
  });

  it('that fails to be read loses nothing: what it has to decode waits for the database', async () => {
    const mac = await sensor(await buildCodec(database.db, kit.farm.id));
    await database.pool.query('alter table codec_version rename to codec_version_away');
    const sent = send(mac, '0102');
    await expect.poll(() => kit.failures.length).toBeGreaterThan(0);
    expect([await values(mac), await waiting(mac)]).toEqual([{}, 1]);
    await database.pool.query('alter table codec_version_away rename to codec_version');
    await kit.decoded();
    expect([await values(mac), sent.isAcknowledged]).toEqual([{ levelMm: 2 }, true]);
  });
});
