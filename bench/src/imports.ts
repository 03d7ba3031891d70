import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { signIn } from './calls.ts';
import { timed } from './numbers.ts';
import { record } from './report.ts';
import type { Stand } from './stand.ts';
import { whileAsked } from './while-asked.ts';
import { buildWorld } from './world.ts';

const PASSWORD = 'bench-password';
const EMAIL = 'imports@bench.test';
/** How long others may wait for the thread that serves everybody while a file is read, ms. */
const STALL_MS = 50;

/** Files of 1,000 and 5,000 sprinklers, planned, done and undone, and a KML file of 10 MB; meanwhile others ask for something small. */
export async function benchImports(stand: Stand): Promise<void> {
  const passwordHash = await hashPassword(PASSWORD);
  const farms = await buildWorld(stand.sql, {
    farms: 2,
    sensors: 1,
    from: 79_000_000,
    ownerEmail: EMAIL,
    passwordHash,
  });
  const token = await signIn(stand, EMAIL, PASSWORD);
  const send = sender(stand, token);
  for (const [index, { count, plan, act }] of SIZES.entries()) {
    const farmUID = farms[index]?.farmUid ?? '';
    const file = { farmUID, typeFile: 'podlist', data: podlist(count, index), filename: 'pods.csv' };
    let revision = '';
    let batchId = '';
    const planned = await timed(async () => ({ revision } = await send('/import/plan', file)));
    const done = await timed(async () => ({ batchId } = await send('/import/apply', { ...file, revision })));
    const undone = await timed(() => send('/undo', { farmUID, batchId, act: 'import' }));
    const of = `${count.toLocaleString('en-NZ')} sprinklers`;
    told(`the plan of a file of ${of}`, planned, plan);
    told(`an import of ${of}`, done, act);
    told(`its undoing`, undone, act);
  }
  const kml = { farmUID: farms[0]?.farmUid ?? '', typeFile: 'kml', data: largeKml(), filename: 'land.kml' };
  const waits = await whileAsked(stand, async () => {
    told('the plan of a KML file of 10 MB', await timed(() => send('/import/plan', kml)), 1500);
  });
  record({
    what: 'the longest that others waited meanwhile',
    value: `${Math.max(...waits).toFixed(0)} ms of ${waits.length} calls`,
    target: { text: `under ${STALL_MS} ms`, met: Math.max(...waits) < STALL_MS },
  });
}

/** Times for a plan, and for doing or undoing it, ms. */
const SIZES = [
  { count: 1000, plan: 500, act: 2000 },
  { count: 5000, plan: 2000, act: 8000 },
];

const told = (what: string, ms: number, most: number) =>
  record({
    what,
    value: `${ms.toFixed(0)} ms`,
    target: { text: `under ${most.toLocaleString('en-NZ')} ms`, met: ms < most },
  });

const sender =
  ({ url }: Stand, token: string) =>
  async (path: string, body: object): Promise<{ revision: string; batchId: string }> => {
    const reply = await fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as { revision: string; batchId: string };
  };

function podlist(count: number, farm: number): string {
  const rows = Array.from({ length: count }, (_none, n) => {
    const mac = `0004F${farm}${n.toString(16).toUpperCase().padStart(6, '0')}`;
    return `${n};BENCH${farm}-${n};${mac};G${n % 20}`;
  });
  return ['name;serial_number;mac_address;group', ...rows].join('\r\n');
}

/** 74 paddocks and a survey of lines as long as they come. */
function largeKml(): string {
  const line = `<Placemark><name>Line</name><LineString><coordinates>${'171.1234567,-43.1234567,0 '.repeat(1000)}</coordinates></LineString></Placemark>`;
  const text = `<kml><Document>${line.repeat(385)}</Document></kml>`;
  return `data:application/octet-stream;base64,${Buffer.from(text).toString('base64')}`;
}
