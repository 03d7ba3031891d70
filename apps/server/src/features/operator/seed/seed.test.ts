import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { SoilReading } from '@headrace/contract/soil-moisture';
import type { DeviceRow } from '../../../db/schema.ts';
import { buildDevice, buildFarm } from '../../../testing/factories.ts';
import { buildFarmWorld, type FarmWorld } from '../../../testing/farm-world.ts';
import { OPERATOR_TOKEN } from '../../../testing/operator.ts';
import { createTestServer, type TestServer } from '../../../testing/test-server.ts';
import { commands } from '../operator-commands.ts';
import { PartlyDone } from '../usage-error.ts';
import { SEED_FILE_LIMITS } from './seed-file.ts';

// The clock stands at 2026-11-20T21:00Z: 10:00 on 21 November on the farm, 13 hours ahead of UTC.
let server: TestServer;
let proxy: Server;
let world: FarmWorld;
let site: DeviceRow;
let folder: string;
let addresses: { own: string; fromElsewhere: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headrace-seed-'));
  server = await createTestServer({ trustedProxies: 1 });
  const own = await server.http.listen({ port: 0, host: '127.0.0.1' });
  proxy = await asIfFromElsewhere(own);
  const { port } = proxy.address() as AddressInfo;
  addresses = { own, fromElsewhere: `http://127.0.0.1:${port}` };
});
beforeEach(async () => {
  world = await buildFarmWorld(server);
  site = await newSite();
});
afterAll(async () => {
  proxy.close();
  await server.close();
  await rm(folder, { recursive: true });
});

const newSite = (values: Parameters<typeof buildDevice>[3] = {}) =>
  buildDevice(server.database.db, world.farm.id, 'sensor', { type: sensorTypes.SOIL_MOISTURE, ...values });

/** A proxy before the server: callers are elsewhere then. */
async function asIfFromElsewhere(own: string): Promise<Server> {
  const made = createServer((request, reply) => {
    const pass = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { authorization = '' } = request.headers;
      const headers = { authorization, 'content-type': 'application/json', 'x-forwarded-for': '192.0.2.7' };
      const answer = await fetch(`${own}${request.url}`, {
        method: 'POST',
        headers,
        body: Buffer.concat(chunks),
      });
      reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    };
    void pass();
  });
  made.listen(0, '127.0.0.1');
  await once(made, 'listening');
  return made;
}

const files = { made: 0 };
async function seed(
  text: string,
  { of = site.serial_number, address = addresses.own, token = OPERATOR_TOKEN } = {},
) {
  const file = `samples-${(files.made += 1)}.csv`;
  await writeFile(join(folder, file), text);
  const context = {
    db: server.database.db,
    now: server.clock.now,
    server: { address, token: token || null },
    folder,
  };
  return (await commands['seed-soil']?.run(context, [of, file])) ?? '';
}

async function readings(): Promise<SoilReading[]> {
  const query = { sensorUID: site.uid, date: '2026-11-20' };
  return (await world.get('GET /telemetry/soil-moisture', query)).json<{ data: SoilReading[] }>().data;
}

it('adds every sample of a file, whose columns stand in any order and whose empty cells were not measured', async () => {
  const told = await seed(
    '\uFEFFTime, date,swp1,swp2,rainfall,temperature\r\n09:15,2026-11-20,25,40.5,3,12.5\r\n\r\n09:30:10,2026-11-20,26,,,-1\r\n,,,,,\r\n',
  );
  expect(told).toBe(
    `2 samples of ${site.serial_number} are stored, those that were there already among them.`,
  );
  const common = { swp1_name: 'Sensor 1', swp2_name: 'Sensor 2' };
  expect(await readings()).toMatchObject([
    { ...common, dateTime: '2026-11-19T20:15:00.000Z', temperature: 12.5, rainfall: 3, swp1: 25, swp2: 40.5 },
    {
      ...common,
      dateTime: '2026-11-19T20:30:10.000Z',
      temperature: -1,
      rainfall: null,
      swp1: 26,
      swp2: null,
    },
  ]);
});

it('may be sent again, for the same sensor by its id too: nothing is stored twice', async () => {
  const text = 'date,time,rainfall\n2026-11-20,09:15,3\n2026-11-20,10:15,2\n';
  await seed(text);
  expect(await seed(text, { of: site.uid.toUpperCase() })).toContain('2 samples');
  expect((await readings()).map(({ rainfall }) => rainfall)).toEqual([3, 2]);
});

it('fails when the server refused some, and says how many, why the first were, and what is stored', async () => {
  const old = Array.from({ length: 6 }, (_, index) => `2020-01-0${index + 1},09:00,20\n`).join('');
  const failure: unknown = await seed(`date,time,swp1\n2026-11-20,09:15,25\n${old}`).catch((error) => error);
  expect(failure).toBeInstanceOf(PartlyDone);
  const lines = (failure as PartlyDone).message.split('\n');
  expect(lines[0]).toBe('6 samples were refused:');
  expect(lines[1]).toMatch(
    /^Line 3: date and time: time 2019-12-31T20:00:00.000Z is older than the 730 days/,
  );
  expect(lines.slice(2).map((line) => line.slice(0, 7))).toEqual([
    'Line 4:',
    'Line 5:',
    'Line 6:',
    'Line 7:',
    '… and 1',
    '1 sampl',
  ]);
  expect(await readings()).toMatchObject([{ swp1: 25 }]);
});

/** A server that answers each call when the test says so; `asked` are the times of what it was sent, in order. */
async function slowServer() {
  const asked: string[] = [];
  /** Resolves when the answer was read. */
  const answers: ((status: number, reply: object) => Promise<unknown>)[] = [];
  const made = createServer((request, reply) => {
    const hear = async () => {
      asked.push(((await json(request)) as { time: string }).time);
      answers.push((status, body) => {
        const read = once(request.socket, 'close');
        reply.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
        reply.end(JSON.stringify(body));
        return read;
      });
    };
    void hear();
  }).listen(0, '127.0.0.1');
  await once(made, 'listening');
  onTestFinished(() => void made.close());
  const { port } = made.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, asked, answers };
}
const minutes = (count: number) => Array.from({ length: count }, (_, n) => `09:0${n}`);
const fileOf = (times: string[]) =>
  `date,time,swp1\n${times.map((time) => `2026-11-20,${time},25\n`).join('')}`;
const good = { success: true };

it('sends four at a time, the next as soon as one is answered', async () => {
  const { address, asked, answers } = await slowServer();
  const told = seed(fileOf(minutes(6)), { address });
  await expect.poll(() => asked.toSorted()).toEqual(minutes(4));
  await answers[2]?.(200, good);
  await expect.poll(() => asked.length).toBe(5);
  expect(asked[4]).toBe('09:04');
  for (const n of [0, 1, 3, 4]) await answers[n]?.(200, good);
  await expect.poll(() => asked.length).toBe(6);
  await answers[5]?.(200, good);
  expect(await told).toContain('6 samples');
});

it('sends nothing more once the server failed, and counts what was still answered', async () => {
  const { address, asked, answers } = await slowServer();
  const told = seed(fileOf(minutes(8)), { address });
  const refused = expect(told).rejects.toThrow(
    /failed: disk full 3 samples are stored; the file may be sent again/,
  );
  await expect.poll(() => asked.length).toBe(4);
  await answers[1]?.(500, { errorMessage: 'disk full' });
  for (const n of [0, 2, 3]) await answers[n]?.(200, good);
  await refused;
  expect(asked).toHaveLength(4);
});

it.each([
  [
    '2026-11-20,09:15,1,2,3,4\n2026-02-30,09:15,,,5,6',
    'Line 3, column date: "2026-02-30" is no day, give one that exists as YYYY-MM-DD.',
  ],
  ['20/11/2026,09:15,1,2,3,4', 'Line 2, column date: "20/11/2026" is no day'],
  ['2026-11-20,24:00,1,2,3,4', 'Line 2, column time: "24:00" is no time, give one as HH:mm or HH:mm:ss'],
  [
    '2026-11-20,09:15,12 °C,2,3,4',
    'Line 2, column temperature: "12 °C" is no number, give digits alone or leave it empty.',
  ],
  ['2026-11-20,09:15,91,2,3,4', 'Line 2, column temperature: must be <= 90, mend it or leave it empty.'],
  ['2026-11-20,09:15,1,2.5,3,4', 'Line 2, column rainfall: must be integer, mend it'],
  ['2026-11-20,09:15,1,2,3', 'Line 2, column swp1: the line has 5 cells and the header 6, give as many.'],
  [
    '2026-11-20,09:15,,,,',
    'Line 2, columns temperature, rainfall, swp1, swp2: all are empty, fill one or take the line out.',
  ],
  [
    '2026-11-20,09:15,1,,,\n2026-11-20,09:15:00,2,,,',
    'Line 3, column time: line 2 has the same date and time, take one out.',
  ],
  ['', 'The file holds no samples'],
])('sends nothing of a file with a bad line: %j', async (rows, fault) => {
  const good = '2026-11-20,08:00,10,,20,30\n';
  const text = `date,time,temperature,rainfall,swp1,swp2\n${rows}\n`;
  await expect(seed(text)).rejects.toThrow(fault);
  await expect(seed(rows ? text + good : text)).rejects.toThrow(fault);
  expect(await readings()).toEqual([]);
});

it.each([
  ['date,time,swp 1', 'Line 1, column "swp 1": name it one of date, time, temperature, rainfall, swp1, swp2'],
  ['date;time;swp1', 'Line 1, column "date;time;swp1": name it one of'],
  ['date,swp1', 'Line 1, column time: it is missing, add it.'],
  ['date,time,swp1,SWP1', 'Line 1, column swp1: it is there twice, take one out.'],
])('says what is wrong with the header %s', async (header, fault) => {
  await expect(seed(`${header}\n2026-11-20,09:15,1,2\n`)).rejects.toThrow(fault);
});

it('tells of ten faults, and how many more there are', async () => {
  const fault = seed(`date,time,swp1\n${'2026-11-20,09:15,dry\n'.repeat(12)}`);
  await expect(fault).rejects.toThrow(
    /^Nothing was sent[^]*\nLine 11, column swp1[^]*\n… and 2 more lines\.$/,
  );
});

it('refuses files that are too long', async () => {
  const head = 'date,time,swp1\n';
  await expect(seed(`${head}${'1,2,3\n'.repeat(SEED_FILE_LIMITS.samples + 1)}`)).rejects.toThrow(
    /holds 100001 samples.*split it/,
  );
  await expect(seed(head + ' '.repeat(SEED_FILE_LIMITS.bytes))).rejects.toThrow(/more than 8 MB: split it/);
});

const ONE = 'date,time,swp1\n2026-11-20,09:15,25\n';

it('needs the token of the operator, from this machine too', async () => {
  for (const address of [addresses.own, addresses.fromElsewhere]) {
    await expect(seed(ONE, { address, token: '' })).rejects.toThrow(
      /set its OPERATOR_TOKEN here too.* 0 samples are stored/,
    );
    const token = 'another-token-of-somebody';
    await expect(seed(ONE, { address, token })).rejects.toThrow('OPERATOR_TOKEN');
  }
  expect(await readings()).toEqual([]);
  expect(await seed(ONE, { address: addresses.fromElsewhere })).toContain('1 samples');
  expect(await readings()).toMatchObject([{ swp1: 25 }]);
});

it('says what to do when there is no such server, sensor or file', async () => {
  await expect(seed(ONE, { address: 'http://127.0.0.1:1' })).rejects.toThrow(
    'No server answers at http://127.0.0.1:1: start it',
  );
  await expect(seed(ONE, { address: 'water.example.com' })).rejects.toThrow(
    'give one like http://127.0.0.1:3000',
  );
  await expect(seed(ONE, { of: 'NONE-1' })).rejects.toThrow('There is no soil moisture sensor NONE-1');
  await expect(seed(ONE, { of: 'f'.repeat(24) })).rejects.toThrow(
    'has no such soil moisture sensor: give another',
  );
  const meter = await buildDevice(server.database.db, world.farm.id, 'sensor', { type: sensorTypes.FLOW });
  await expect(seed(ONE, { of: meter.serial_number })).rejects.toThrow('There is no soil moisture sensor');
  // A serial number is one unit of a farm; another farm may have it too.
  const elsewhere = await buildFarm(server.database.db, world.owner.id, { name: 'Elsewhere' });
  const twin = await buildDevice(server.database.db, elsewhere.id, 'sensor', {
    type: sensorTypes.SOIL_MOISTURE,
    serial_number: site.serial_number.toLowerCase(),
  });
  await expect(seed(ONE)).rejects.toThrow(new RegExp(`give the id of one: .*${twin.uid} \\(Elsewhere\\)`));
  const context = { db: server.database.db, now: server.clock.now, folder };
  await expect(commands['seed-soil']?.run(context, ['X', 'none.csv'])).rejects.toThrow(
    "none.csv can't be read",
  );
});
