import { get } from 'node:http';
import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { signIn } from './calls.ts';
import { fillYear } from './charts.ts';
import { bareDevices, caller, tellAct } from './farm-acts.ts';
import { perSecond, timed } from './numbers.ts';
import { record } from './report.ts';
import { serverOf, type Stand } from './stand.ts';
import { type BenchGateway, buildWorld } from './world.ts';

const [EMAIL, PASSWORD] = ['files@bench.test', 'bench-password'];
/** Times for a plan, and for doing or undoing it, ms. */
const SIZES = [
  { count: 1000, plan: 500, act: 2000 },
  { count: 5000, plan: 2000, act: 8000 },
];
const READINGS = 1_000_000;

/** Files of 1,000 and 5,000 sprinklers, planned, done and undone; the largest files that are read; and a million readings as a file. */
export async function benchFiles(stand: Stand): Promise<void> {
  const farms = await buildWorld(stand.sql, {
    farms: SIZES.length,
    sensors: 4,
    from: 79_000_000,
    ownerEmail: EMAIL,
    passwordHash: await hashPassword(PASSWORD),
  });
  const token = await signIn(stand, EMAIL, PASSWORD);
  const call = caller(stand, token);
  for (const [index, size] of SIZES.entries()) {
    const farm = farms[index];
    if (farm) await benchImport(stand, call, farm, { ...size, index });
  }
  const [farm] = farms;
  if (!farm) throw new Error('no farm');
  await benchLargest(stand, call, farm);
  await benchReadings(stand, token, farm);
}

type Call = ReturnType<typeof caller>;
type Size = (typeof SIZES)[number] & { readonly index: number };

async function benchImport(stand: Stand, call: Call, { farmId, farmUid: farmUID }: BenchGateway, size: Size) {
  const { count, plan, act, index } = size;
  const file = { farmUID, typeFile: 'podlist', data: podlist(count, index), filename: 'pods.csv' };
  const bare = await bareDevices(stand, farmId, count);
  const of = `${count.toLocaleString('en-NZ')} sprinklers`;
  const planning = {
    what: `the plan of a file of ${of}; ratio: their rows read`,
    most: plan,
    bare: bare.read,
  };
  const { revision } = await tellAct(stand, planning, () =>
    call<{ revision: string }>('POST', '/import/plan', file),
  );
  const applying = { what: `an import of ${of}; ratio: their rows stored`, most: act, bare: bare.stored };
  const { batchId } = await tellAct(stand, applying, () =>
    call<{ batchId: string }>('POST', '/import/apply', { ...file, revision }),
  );
  const schedules = {
    farmUID,
    typeFile: 'schedules',
    data: scheduleList(count, index),
    filename: 'sets.csv',
  };
  const planningSets = { what: `the plan of a set of schedules for ${of}`, most: plan, bare: bare.read };
  await tellAct(stand, planningSets, () => call('POST', '/import/plan', schedules));
  const again = { what: `the plan of a file that changes nothing of ${of}`, most: plan, bare: bare.read };
  await tellAct(stand, again, () => call('POST', '/import/plan', file));
  const undoing = { what: `the undo of an import of ${of}`, most: act, bare: bare.stored };
  await tellAct(stand, undoing, () => call('POST', '/undo', { farmUID, batchId, act: 'import' }));
}

async function benchLargest(stand: Stand, call: Call, { farmUid: farmUID }: BenchGateway): Promise<void> {
  const files = [
    { what: 'the plan of a list of 2 MB', typeFile: 'podlist', data: longList(), most: 2000 },
    { what: 'the plan of schedules of 2 MB', typeFile: 'schedules', data: longSchedules(), most: 2000 },
    { what: 'the plan of a KML file of 10 MB', typeFile: 'kml', data: largeKml(), most: 1500 },
  ];
  for (const { what, most, ...file } of files)
    await tellAct(stand, { what, most }, () =>
      call('POST', '/import/plan', { farmUID, filename: 'a file', ...file }),
    );
}

function podlist(count: number, farm: number): string {
  const rows = Array.from({ length: count }, (_none, n) => {
    const mac = `0004F${farm}${n.toString(16).toUpperCase().padStart(6, '0')}`;
    return `${n};BENCH${farm}-${n};${mac};G${n % 20}`;
  });
  return ['name;serial_number;mac_address;group', ...rows].join('\r\n');
}

/** Four waterings of each. */
function scheduleList(count: number, farm: number): string {
  const rows = Array.from(
    { length: count * 4 },
    (_none, n) =>
      `Summer;G${Math.floor(n / 4) % 20};BENCH${farm}-${Math.floor(n / 4)};${(n % 4) * 360 + (Math.floor(n / 80) % 300)};28`,
  );
  return ['set;group;serial_number;start;duration', ...rows].join('\n');
}

/** As long as lists may be: most of it is cells that nobody knows. */
function longList(): string {
  const rows = Array.from({ length: 5000 }, (_none, n) => `${n};LONG${n};${'x'.repeat(380)}`);
  return ['name;serial_number;remark', ...rows].join('\r\n');
}

/** Five sets of 800 sprinklers, which the farm doesn't have, with 20 waterings each. */
function longSchedules(): string {
  const rows = Array.from(
    { length: 80_000 },
    (_none, n) => `S${n % 5};N;L${Math.floor(n / 100)};${(n % 20) * 60};9`,
  );
  return ['set;group;serial_number;start;duration', ...rows].join('\n');
}

/** 74 paddocks and a survey of lines as long as they come. */
function largeKml(): string {
  const line = `<Placemark><name>Line</name><LineString><coordinates>${'171.1234567,-43.1234567,0 '.repeat(1000)}</coordinates></LineString></Placemark>`;
  const text = `<kml><Document>${line.repeat(385)}</Document></kml>`;
  return `data:application/octet-stream;base64,${Buffer.from(text).toString('base64')}`;
}

/** readings.csv of a year, as fast as it is taken; against the same rows by the bare driver. */
async function benchReadings(stand: Stand, token: string, farm: BenchGateway): Promise<void> {
  await fillYear(stand, farm, { readings: READINGS, sensors: farm.sensorMacs.length });
  const bare = await timed(() =>
    stand.sql.query('select series_id, at, value from reading where farm_id = $1', [farm.farmId]),
  );
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const query = `farmUID=${farm.farmUid}&each=reading&startDate=${day(365)}&endDate=${day(0)}`;
  const { residentMb } = await serverOf(stand);
  let [rows, most] = [0, residentMb];
  const watching = setInterval(() => {
    void serverOf(stand).then((server) => (most = Math.max(most, server.residentMb)));
  }, 500);
  const ms = await timed(async () => {
    rows = await countLines(`${stand.url}/v1/export/readings.csv?${query}`, token);
  });
  clearInterval(watching);
  record({
    what: `readings.csv of ${rows.toLocaleString('en-NZ')} rows; ratio: the rows by the bare driver`,
    value: `${perSecond(rows, ms).toLocaleString('en-NZ')} rows/s`,
    ratio: (ms / bare).toFixed(1),
    target: { text: '100,000 rows/s', met: perSecond(rows, ms) >= 100_000 },
  });
  record({ what: 'memory that the server took for it', value: `${(most - residentMb).toFixed(0)} MB` });
}

const NEW_LINE = 10;
const countLines = (url: string, authorization: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { authorization } }, (reply) => {
      let lines = 0;
      reply.on('data', (chunk: Buffer) => {
        for (const byte of chunk) if (byte === NEW_LINE) lines += 1;
      });
      reply.once('end', () =>
        reply.statusCode === 200 ? resolve(lines) : reject(new Error(`${url}: ${reply.statusCode}`)),
      );
    }).once('error', reject);
  });
