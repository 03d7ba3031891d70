import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { fillYear } from './charts.ts';
import { timed } from './numbers.ts';
import { record } from './report.ts';
import { root, type Stand } from './stand.ts';
import { buildWorld } from './world.ts';

const READINGS = 5_000_000;
/** Times a restore of the same backup. */
const MOST = 2;

/** A backup of the whole server and its trial restore, by the operator's own commands. */
export async function benchDrill(stand: Stand): Promise<void> {
  const [farm] = await buildWorld(stand.sql, {
    farms: 1,
    sensors: 140,
    from: 77_000_000,
    ownerEmail: 'drill@bench.test',
    passwordHash: await hashPassword('bench-password'),
  });
  if (!farm) throw new Error('no farm');
  await fillYear(stand, farm, { readings: READINGS, sensors: farm.sensorMacs.length });
  const folder = await mkdtemp(join(tmpdir(), 'headrace-bench-backups-'));
  try {
    const of = `${READINGS.toLocaleString('en-NZ')} readings`;
    const written = await timed(() => admin(stand, folder, 'backup', '--keep', '1', folder));
    record({ what: `a backup of the server with ${of}`, value: `${(written / 1000).toFixed(1)} s` });
    const told = await admin(stand, folder, 'drill-backup', folder);
    const [, restore, drill] =
      /restore of it takes ([\d.]+) s here; this trial took ([\d.]+) s/.exec(told) ?? [];
    const ratio = Number(drill) / Number(restore);
    record({
      what: 'its trial restore; ratio: a restore of it',
      value: `${drill} s`,
      ratio: ratio.toFixed(2),
      target: { text: `at most ${MOST} times`, met: ratio <= MOST },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a command of the operator's prints. */
async function admin({ databaseUrl }: Stand, folder: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: folder };
  const script = join(root, 'apps/server/dist/admin.js');
  return (await promisify(execFile)(process.execPath, [script, ...args], { env })).stdout;
}
