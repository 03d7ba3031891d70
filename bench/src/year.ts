import { fork } from 'node:child_process';
import { join } from 'node:path';
import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { median } from './numbers.ts';
import { record } from './report.ts';
import { root, type Stand } from './stand.ts';
import { buildWorld } from './world.ts';
import { fillYear } from './year-farm.ts';

/** What is aimed at, ms; slower is told and no fault. */
const targets: Readonly<Record<string, number>> = { Month: 300, Year: 500 };

/** Clicks on one of a chart's periods, ms each: those that asked the server, and those that found the days in memory. */
interface Clicks {
  chart: string;
  period: string;
  first: number[];
  again: number[];
}

/** A year of readings every quarter of an hour on a farm's charts, in a browser: from the click on a period to the picture. */
export async function benchYear(stand: Stand): Promise<void> {
  const [email, password] = ['year@bench.test', 'bench-password'];
  const [farm] = await buildWorld(stand.sql, {
    farms: 1,
    sensors: 0,
    from: 85_000_000,
    ownerEmail: email,
    passwordHash: await hashPassword(password),
  });
  if (!farm) throw new Error('no farm');
  const { reports, readings } = await fillYear(stand.databaseUrl, farm);
  record({ what: 'a year on 10 devices', value: `${reports} reports, ${readings} readings` });
  for (const { chart, period, first, again } of await clickThrough([
    stand.url,
    farm.farmUid,
    email,
    password,
  ]))
    record({
      what: `${chart}, ${period}: median and worst; the same again`,
      value: `${text(first)}; ${text(again)}`,
      target: { text: `median under ${targets[period]} ms`, met: median(first) < (targets[period] ?? 0) },
    });
}

const text = (times: readonly number[]) => `${median(times).toFixed(0)} ${Math.max(...times).toFixed(0)} ms`;

/** Chromium runs beside the other programs that drive one. Throws when it breaks. */
function clickThrough(args: readonly string[]): Promise<Clicks[]> {
  return new Promise((resolve, reject) => {
    const browser = fork(join(root, 'e2e/year-speed.mjs'), args);
    let figures: Clicks[] | undefined;
    browser.on('message', (message) => (figures = message as Clicks[]));
    browser.once('exit', (code) => {
      if (code === 0 && figures) resolve(figures);
      else reject(new Error(`The browser's part of the bench ended with ${code}: the lines above say why.`));
    });
  });
}
