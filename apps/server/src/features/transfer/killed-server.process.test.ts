import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Backup } from '@headrace/contract/backups';
import type { Change } from '@headrace/contract/changes';
import type { ImportPlan } from '@headrace/contract/imports';
import type { Act } from '@headrace/contract/undo';
import { connectDatabase, type DatabaseClient } from '../../db/client.ts';
import { migrate } from '../../db/migrate.ts';
import { shares } from '../../db/shares.ts';
import { buildAccount, buildDevice, buildFarm, buildGateway } from '../../testing/factories.ts';
import {
  buildGroup,
  buildScheduleSet,
  buildSprinkler,
  buildTemplate,
} from '../../testing/irrigation-factories.ts';
import { KillableServer } from '../../testing/killable-server.ts';
import { noonNow } from '../../testing/noon-now.ts';
import { startTestPostgres, type TestPostgres } from '../../testing/test-postgres.ts';
import { openSession } from '../../testing/open-session.ts';

/** `KILLS=300` is the long run. */
const KILLS = Number(process.env['KILLS'] ?? 8);
/** That the farm has; the file changes all of them, and adds half as many. */
const UNITS = Number(process.env['UNITS'] ?? 60);

const UID = /[0-9a-f]{24}/gu;
let folder: string;
let postgres: TestPostgres;
let database: DatabaseClient;
let server: KillableServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headrace-files-killed-'));
  postgres = await startTestPostgres(folder);
  // One connection: all others are the server's.
  database = connectDatabase(postgres.url, { share: { ...shares.alone, max: 1 } });
  await migrate(database.db);
  server = new KillableServer({ DATABASE_URL: postgres.url, DATA_DIR: folder });
  await server.start();
});
afterAll(async () => {
  await server?.kill();
  await database?.close();
  await postgres?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

/** The farm before the file, and with what the file brings. */
type State = 'plain' | 'imported';
interface Deed {
  readonly name: string;
  readonly from: State;
  readonly to: State;
  readonly act: Act;
  /** It undoes the deed before it in the list. */
  readonly isUndo: boolean;
  /** What it needs first, which writes nothing; the deed is what it returns. */
  readonly ready: () => Promise<() => Promise<Response>>;
}

let token = '';
let farmId = 0;
let farmUID = '';
/** Of what the farm had at first; all else is made anew by each import. */
let firstUids: ReadonlySet<string>;
const backups: Record<State, string> = { plain: '', imported: '' };
const states: Record<State, string> = { plain: '', imported: '' };
let data = '';

const DEEDS: readonly Deed[] = [
  { name: 'import', from: 'plain', to: 'imported', act: 'import', isUndo: false, ready: planFile },
  undoOf('undo of an import', 'imported', 'plain', 'import'),
  restoreTo('restore that brings back', 'imported'),
  undoOf('undo of a restore that brought back', 'imported', 'plain', 'restore'),
  restoreTo('restore that takes off', 'plain'),
  undoOf('undo of a restore that took off', 'plain', 'imported', 'restore'),
];
/** Which of them each kill hits, over and over: every second one an import, which does the most. */
const HIT = [0, 1, 0, 2, 0, 3, 0, 4, 0, 5];

it(
  `an import, a restore and the undo of each is done as a whole or not at all, and the history says which, through ${KILLS} kills`,
  async () => {
    await buildWorld();
    const lasting = await tryEach();
    const kills: { name: string; was: 'not done' | 'done, not answered' | 'answered'; writing: boolean }[] =
      [];

    const tried = new Map<string, number>();
    for (let kill = 0; kill < KILLS; kill += 1) {
      const nth = HIT[kill % HIT.length] ?? 0;
      const deed = DEEDS[nth] as Deed;
      await prepare(nth);
      const before = await recordsNow();
      const lasts = lasting.get(deed.name) ?? 0;
      const times = tried.get(deed.name) ?? 0;
      tried.set(deed.name, times + 1);
      // Spread evenly, a little beyond the time that it takes.
      const moment = (((times + 1) * 0.618_034) % 1) * 1.2 * lasts;
      const reply = { status: 0, after: 0, text: '' };
      const run = await deed.ready();
      const call = answerOf(run, reply);
      // One of each is killed at once after its answer: what was said to be done is.
      await (kill % (HIT.length * 2 - 1) === 1 ? call : sleep(moment));
      const writing = await isWriting();
      const { status, after } = reply;
      await server.kill();
      await call;
      await untilAlone();
      await server.start();

      const isAnswered = status !== 0;
      const about = { kill, deed: deed.name, moment: Math.round(moment), status };
      const now = await stateNow();
      const isDone = now === deed.to;
      const expected = isDone || isAnswered ? deed.to : deed.from;
      const refused = isAnswered && status !== 200 ? reply.text.slice(0, 500) : '';
      expect({ ...about, refused, now }, `${refused} ${now}`).toEqual({
        ...about,
        status: isAnswered ? 200 : 0,
        refused: '',
        now: expected,
      });
      expectRecords(about, deed, before, await recordsNow(), isDone);
      kills.push({
        name: deed.name,
        was: isAnswered ? 'answered' : isDone ? 'done, not answered' : 'not done',
        writing,
      });
      // How long it takes changes with the load: the moments follow it.
      if (isAnswered) lasting.set(deed.name, after);
      else if (!isDone) lasting.set(deed.name, Math.max(lasts, moment));
    }
    const count = (was: string) => kills.filter((one) => one.was === was).length;
    const writing = kills.filter((one) => one.writing).length;
    console.info(
      `${KILLS} kills: ${count('not done')} not done, ${count('done, not answered')} done and not answered, ${count('answered')} answered; ${writing} while something was being written`,
    );
    // Most of them hit what was under way, and some came too late for that, or this shows nothing. Few can be unlucky.
    expect(count('not done')).toBeGreaterThan(KILLS < 60 ? 1 : KILLS / 3);
    expect(count('answered')).toBeGreaterThan(0);
  },
  200_000 + KILLS * 20_000,
);

/** Fills in what was answered, and after how many ms; nothing where the server was killed before. */
async function answerOf(
  run: () => Promise<Response>,
  reply: { status: number; after: number; text: string },
) {
  const begun = performance.now();
  try {
    const answer = await run();
    Object.assign(reply, { status: answer.status, after: performance.now() - begun });
    reply.text = await answer.text();
  } catch {
    // Killed.
  }
}

/** A farm with something of every kind, and somebody signed in. */
async function buildWorld(): Promise<void> {
  const { db } = database;
  const owner = await buildAccount(db);
  // At night a backup is made by itself, which the test doesn't expect.
  const farm = await buildFarm(db, owner.id, noonNow());
  farmId = farm.id;
  farmUID = farm.uid;
  const gateway = await buildGateway(db, farm.id, 'key');
  const units = await Promise.all(
    Array.from({ length: UNITS }, (_, nth) =>
      buildSprinkler(db, farm.id, { name: `A${nth}`, serial_number: `IPC${nth}`, gateway }),
    ),
  );
  const north = await buildGroup(db, farm.id, 'North', units);
  await buildDevice(db, farm.id, 'poi', { name: 'Gate', lat: -43.75, lng: 171.95 });
  await buildTemplate(db, farm.id, north);
  await buildScheduleSet(db, farm.id, units, [{ start: 60, duration: 28, cycle: 1 }]);
  token = await openSession(db, owner.id);
  const place = (nth: number) => `-43.75${100 + (nth % 800)};171.95${100 + (nth % 800)}`;
  data = [
    'name;serial;mac;channel;group;lat;lng',
    ...units.map((_, nth) => `B${nth};IPC${nth};;16;West|North;${place(nth)}`),
    ...Array.from({ length: UNITS / 2 }, (_, nth) => {
      const mac = `0004B3${(nth + 1).toString(16).toUpperCase().padStart(6, '0')}`;
      return `C${nth};NEW${nth};${mac};3;West;${place(nth)}`;
    }),
  ].join('\n');
}

/** Each once to its end, for both states and how long each takes, ms; and the farm is as it was. */
async function tryEach(): Promise<Map<string, number>> {
  firstUids = new Set((await siteText()).match(UID));
  states.plain = await farmText();
  backups.plain = await backUp();
  const lasting = new Map<string, number>();
  for (const [nth, deed] of DEEDS.entries()) {
    await prepare(nth);
    const run = await deed.ready();
    const begun = performance.now();
    await done(run());
    lasting.set(deed.name, performance.now() - begun);
    if (nth === 0) {
      states.imported = await farmText();
      backups.imported = await backUp();
      expect(states.imported === states.plain).toBe(false);
    }
    expect({ deed: deed.name, now: await stateNow() }).toEqual({ deed: deed.name, now: deed.to });
  }
  return lasting;
}

/** Makes the farm what the deed begins with; what it is to undo is the last that was done. */
async function prepare(nth: number): Promise<void> {
  // An account has so many files a day, and the test looks at the farm by them.
  await database.pool.query('delete from files_made');
  const { from, isUndo, act } = DEEDS[nth] as Deed;
  const isThere = (await stateNow()) === from;
  if (isThere && (!isUndo || (await recordsNow()).undo?.act === act)) return;
  if (isThere) await done((await restoreTo('', from === 'plain' ? 'imported' : 'plain').ready())());
  const way = isUndo ? (DEEDS[nth - 1] as Deed) : restoreTo('', from);
  await done((await way.ready())());
}

/** A deed that wasn't done has left no trace; one that was can be undone, and has a backup of before. */
function expectRecords(about: object, deed: Deed, before: Records, now: Records, isDone: boolean): void {
  if (!isDone) {
    expect({ ...about, ...now }).toEqual({ ...about, ...before });
    return;
  }
  const [newest, ...rest] = now.batches;
  const undone = deed.isUndo ? before.batches.slice(0, 1).map((one) => ({ ...one, isUndone: true })) : [];
  expect({ ...about, newest, rest }).toEqual({
    ...about,
    newest: { uid: expect.any(String), act: deed.act, isUndone: false, isWhole: true },
    rest: [...undone, ...before.batches.slice(undone.length)],
  });
  expect({ ...about, undo: now.undo }).toMatchObject({
    ...about,
    undo: { act: deed.act, batchId: newest?.uid },
  });
  expect(now.changes).toBeGreaterThan(before.changes);
  expect(now.listRevision).toBeGreaterThan(before.listRevision);
  expect({ ...about, isNew: now.backup !== before.backup }).toEqual({ ...about, isNew: !deed.isUndo });
}

type Records = Awaited<ReturnType<typeof recordsNow>>;
/** What the farm's history, list of backups and gateway say; the newest first. */
async function recordsNow() {
  const ofFarm = { farmUID };
  const { changes } = await got<{ changes: Change[] }>('/changes', { ...ofFarm, limit: '1' });
  const [backup] = await got<Backup[]>('/backup/list', ofFarm);
  const [counts] = (
    await database.pool.query<{ changes: number; listRevision: number }>(
      `select (select count(*)::int from change_log where farm_id = $1) as changes,
        (select list_rev::int from gateway_state where farm_id = $1) as "listRevision"`,
      [farmId],
    )
  ).rows;
  const { rows: batches } = await database.pool.query<{
    uid: string;
    act: string;
    isUndone: boolean;
    isWhole: boolean;
  }>(
    `select uid, act, undone_at is not null as "isUndone", length(records) > 0 as "isWhole"
      from change_batch where farm_id = $1 order by id desc`,
    [farmId],
  );
  return {
    undo: changes[0]?.undo ?? null,
    backup: backup?._id ?? null,
    changes: counts?.changes ?? 0,
    listRevision: counts?.listRevision ?? 0,
    batches,
  };
}

/** What the database was doing for a server that is gone has come to its end: a commit that it was told goes on. */
async function untilAlone(): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await database.pool.query(
          `select query from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
        );
        return rows;
      },
      { interval: 5 },
    )
    .toEqual([]);
}

/** Something in the database is in the midst of a transaction that has written. */
async function isWriting(): Promise<boolean> {
  const { rows } = await database.pool.query(
    'select from pg_stat_activity where backend_xid is not null and pid <> pg_backend_pid()',
  );
  return rows.length > 0;
}

async function siteText(): Promise<string> {
  const reply = await ask('GET', `/export/site-json?farmUID=${farmUID}`);
  const text = await reply.text();
  if (!reply.ok) throw new Error(`site.json: ${reply.status} ${text.slice(0, 500)}`);
  return text;
}
/**
 * The whole configuration; what an import has added goes by its name, for it has another uid each time. A unit's groups stand by uid: of two
 * that were made in one second, either may come first.
 */
async function farmText(): Promise<string> {
  const { exportedAt: _at, ...site } = JSON.parse(await siteText()) as Record<string, unknown>;
  const names = new Map<string, string>();
  for (const list of Object.values(site))
    for (const { _id, name } of Array.isArray(list) ? (list as { _id: string; name: string }[]) : [])
      if (!firstUids.has(_id)) names.set(_id, `new ${name}`);
  const named = JSON.stringify(site).replaceAll(UID, (uid) => names.get(uid) ?? uid);
  return JSON.stringify(
    JSON.parse(named, (key, value: unknown) =>
      key === 'groups' && isTexts(value) ? value.toSorted() : value,
    ),
  );
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Where it is in neither state: what differs first from the plain one. */
async function stateNow(): Promise<string> {
  const text = await farmText();
  if (text === states.plain) return 'plain';
  if (text === states.imported) return 'imported';
  const at = Array.from({ length: text.length }, (_, nth) => nth).findIndex(
    (nth) => text[nth] !== states.plain[nth],
  );
  return `between: ${text.slice(Math.max(0, at - 200), at + 200)}`;
}

function ask(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${server.url}/v1${path}`, {
    method,
    headers: { authorization: token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify({ farmUID, ...body }) }),
  });
}

async function done<T>(asked: Promise<Response>): Promise<T> {
  const reply = await asked;
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${reply.url}: ${reply.status} ${text.slice(0, 500)}`);
  return JSON.parse(text) as T;
}
const got = <T>(path: string, query: Record<string, string>) =>
  done<T>(ask('GET', `${path}?${new URLSearchParams(query).toString()}`));
const backUp = async () => (await done<Backup>(ask('POST', '/backup', { desc: 'Of the test' })))._id;

async function planFile() {
  const file = { typeFile: 'podlist', filename: 'pods.csv', data };
  const { revision } = await done<ImportPlan>(ask('POST', '/import/plan', file));
  return () => ask('POST', '/import/apply', { ...file, revision });
}

function restoreTo(name: string, to: State): Deed {
  const from = to === 'plain' ? 'imported' : 'plain';
  const restore = () => ask('PUT', '/backup/restore', { bakUID: backups[to] });
  return { name, from, to, act: 'restore', isUndo: false, ready: async () => restore };
}

function undoOf(name: string, from: State, to: State, act: Act): Deed {
  const ready = async () => {
    const { undo } = await recordsNow();
    return () => ask('POST', '/undo', { act, batchId: undo?.batchId });
  };
  return { name, from, to, act, isUndo: true, ready };
}
