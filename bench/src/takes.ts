import { setTimeout as pause } from 'node:timers/promises';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { MadePack, TakeEntries, TakeMeterEntries, WaterTake } from '@headrace/contract/water-takes';
import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { callsText, measureCalls, signIn } from './calls.ts';
import { caller } from './farm-acts.ts';
import { percentile, timed } from './numbers.ts';
import { printerSizesMb } from './printer-size.ts';
import { record } from './report.ts';
import { serverOf, type Stand } from './stand.ts';
import { type Control, controlOf, recordWaits, whileAsked } from './while-asked.ts';
import { buildWorld } from './world.ts';
import { fillYear, type Kind } from './year-farm.ts';

const [EMAIL, PASSWORD] = ['takes@bench.test', 'bench-password'];
const DAY_MS = 86_400_000;
const METERS = 2;
const WEEKS = 52;
/** A month's quarters, ms; a year's pack, s, MB of memory and MB of its file. */
const MOST = { rowsMs: 150, packS: 5, memoryMb: 64, fileMb: 2 };
/** How long the thread may stand still, ms, with the 10 by which it is measured. */
const STALL_MS = 60;
/** What a pack takes is looked at as often, ms. */
const LOOK_MS = 1000;
/** As often its page asks how far it is, ms. */
const ASK_MS = 500;

/** Water runs by day, each fourth day not at all; once a month the meter is silent for ten hours, and in the evening of each day for one. */
const meters: Kind = {
  name: 'Bore',
  letter: 'd',
  count: METERS,
  type: sensorTypes.FLOW_PULSE,
  settings: { litrePerPulse: 100 },
  values: (nth): Record<string, number> => {
    const [day, quarter] = [Math.floor(nth / 96), nth % 96];
    if (nth % (30 * 96) < 40 || (quarter >= 70 && quarter < 74)) return {};
    const daysOfWater = Math.floor((day * 3) / 4);
    return { pulsesTotal: daysOfWater * 48 * 120 + (day % 4 === 3 ? 0 : Math.min(48, quarter) * 120) };
  },
};

/** A water year of a take with two meters, whose registers are read each week: its quarters, and its pack, at first and again. */
export async function benchTakes(stand: Stand): Promise<void> {
  const [farm] = await buildWorld(stand.sql, {
    farms: 1,
    sensors: 0,
    from: 87_000_000,
    ownerEmail: EMAIL,
    passwordHash: await hashPassword(PASSWORD),
  });
  if (!farm) throw new Error('no farm');
  const { farmId, farmUid: farmUID } = farm;
  const { readings } = await fillYear(stand.databaseUrl, farm, [meters]);
  const token = await signIn(stand, EMAIL, PASSWORD);
  const call = caller(stand, token);
  const devices = await stand.sql.query<{ uid: string }>(
    "select uid from device where farm_id = $1 and name like 'Bore%' order by uid",
    [farmId],
  );
  const take = await call<WaterTake>('POST', '/water-take', {
    farmUID,
    ...consent,
    meters: devices.rows.map(({ uid }, index) => meterOf(uid, index)),
  });
  for (const { uid: meterUID } of take.meters)
    for (let week = WEEKS; week > 0; week -= 1)
      await call('POST', '/water-take/reading', {
        farmUID,
        meterUID,
        at: new Date(Date.now() - week * 7 * DAY_MS).toISOString(),
        register: Math.round((WEEKS - week) * 7 * 0.75 * 576),
        note: '',
      });
  record({ what: 'a year of a take', value: `${METERS} meters, ${readings} readings` });
  // What was measured before may have used up how often one may ask in a minute.
  await pause(60_000);
  const control = await controlOf(stand);
  const of = `farmUID=${farmUID}&uid=${take.uid}`;
  for (const which of ['the first', 'the second'])
    await tellPack(stand, { which, control, make: () => makePack(stand, token, { farmUID, uid: take.uid }) });
  const rows = await measureCalls(
    stand,
    token,
    (nth) => `/water-take/rows?${of}&from=${dayText(40 + nth)}&to=${dayText(10 + nth)}`,
    60,
  );
  record({
    what: "a month's quarters of it",
    value: callsText(rows),
    target: { text: `p99 under ${MOST.rowsMs} ms`, met: percentile(rows, 0.99) < MOST.rowsMs },
  });
}

const consent: TakeEntries = {
  consentNo: 'BENCH-1',
  holder: 'Bench',
  council: 'Environment Canterbury',
  source: 'Bore',
  maxLps: 12,
  maxM3Day: 1100,
  maxM37Day: 7000,
  maxM3Year: 200_000,
  validFrom: null,
  validTo: null,
  restrictionNote: '',
  restrictions: [],
};

const meterOf = (deviceUID: string, index: number): TakeMeterEntries => ({
  deviceUID,
  metric: 'pulsesTotal',
  site: `BENCH${index}`,
  measure: 'Compliance Volume',
  startsAt: new Date(Date.now() - 400 * DAY_MS).toISOString(),
  endsAt: null,
  verifiedOn: null,
  nextVerification: null,
  pipe: 'full',
  m3PerUnit: 0.1,
  isByVolume: false,
});

interface Telling {
  readonly which: string;
  readonly control: Control;
  readonly make: () => Promise<MadePack>;
}

async function tellPack(stand: Stand, { which, control, make }: Telling): Promise<void> {
  const before = await serverOf(stand);
  let [stallMs, mostMb, ms] = [0, before.residentMb, 0];
  const made: MadePack[] = [];
  const waits = await whileAsked(stand, async () => {
    const work = timed(async () => made.push(await make()));
    const over = new AbortController();
    void work.finally(() => over.abort());
    while (!over.signal.aborted) {
      await pause(LOOK_MS);
      const now = await serverOf(stand);
      [stallMs, mostMb] = [Math.max(stallMs, now.stallMs), Math.max(mostMb, now.residentMb)];
    }
    ms = await work;
  });
  const of = `${which} pack of the year`;
  const mb = (made[0]?.bytes ?? 0) / 1e6;
  const grown = mostMb - before.residentMb;
  const tell = (what: string, value: string, text: string, met: boolean) =>
    record({ what: `${of}${what}`, value, target: { text, met } });
  tell('', `${(ms / 1000).toFixed(2)} s`, `under ${MOST.packS} s`, ms < MOST.packS * 1000);
  tell(', its file', `${mb.toFixed(2)} MB`, `under ${MOST.fileMb} MB`, mb < MOST.fileMb);
  tell(', memory', `${grown.toFixed(0)} MB more`, `under ${MOST.memoryMb} MB`, grown < MOST.memoryMb);
  const sizes = printerSizesMb(stand.pid).map((size) => `${size.toFixed(0)} MB`);
  record({ what: `${of}, the process that made it, at most`, value: sizes.join(', ') || 'gone' });
  tell(', longest stall', `${stallMs.toFixed(0)} ms`, `under ${STALL_MS} ms`, stallMs < STALL_MS);
  recordWaits(`${of}, what others waited meanwhile`, waits, control);
}

/** Asks for it as its page does, and looks how far it is. */
async function makePack(
  stand: Stand,
  token: string,
  take: { readonly farmUID: string; readonly uid: string },
): Promise<MadePack> {
  const asked = { ...take, from: dayText(364), to: dayText(0) };
  const { id } = await caller(stand, token)<{ id: string }>('POST', '/water-take/pack', asked);
  for (;;) {
    await pause(ASK_MS);
    const path = `/v1/water-take/packs?farmUID=${take.farmUID}&uid=${take.uid}`;
    const reply = await fetch(`${stand.url}${path}`, { headers: { authorization: token } });
    const { packs } = (await reply.json()) as { packs: MadePack[] };
    const pack = packs.find((one) => one.id === id);
    if (pack?.state === 'done') return pack;
    if (pack?.state === 'failed') throw new Error(pack.error);
  }
}

/** YYYY-MM-DD. */
const dayText = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
