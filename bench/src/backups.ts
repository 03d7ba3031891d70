import { hashPassword } from '@headrace/server/dist/features/accounts/password.js';
import { signIn } from './calls.ts';
import { bareDevices, caller, tellAct } from './farm-acts.ts';
import { record } from './report.ts';
import { addSprinklers } from './sprinkler-farm.ts';
import type { Stand } from './stand.ts';
import { type BenchGateway, buildWorld } from './world.ts';

const [EMAIL, PASSWORD] = ['backups@bench.test', 'bench-password'];
/** For a backup with its trial, and for a restore, ms; what is asked of 1,000, and as much for each of more. */
const SIZES = [
  { count: 1000, backup: 1300, restore: 3000 },
  { count: 5000, backup: 6500, restore: 15_000 },
];
const KB_OF_1000 = 60;

/** Backups of farms of 1,000 and 5,000 sprinklers with a set of schedules, tried out at once; and restored when all units were changed. */
export async function benchBackups(stand: Stand): Promise<void> {
  const farms = await buildWorld(stand.sql, {
    farms: SIZES.length,
    sensors: 4,
    from: 78_000_000,
    ownerEmail: EMAIL,
    passwordHash: await hashPassword(PASSWORD),
  });
  const call = caller(stand, await signIn(stand, EMAIL, PASSWORD));
  for (const [index, size] of SIZES.entries()) {
    const farm = farms[index];
    if (farm) await benchFarm(stand, call, farm, size);
  }
}

interface Made {
  readonly _id: string;
  readonly bytes: number;
  readonly provedAt: string | null;
  readonly fault: string;
}

async function benchFarm(
  stand: Stand,
  call: ReturnType<typeof caller>,
  farm: BenchGateway,
  { count, backup, restore }: (typeof SIZES)[number],
): Promise<void> {
  const { farmId, farmUid: farmUID } = farm;
  await addSprinklers(stand.sql, farm, count);
  const bare = await bareDevices(stand, farmId, count);
  const of = `${count.toLocaleString('en-NZ')} sprinklers`;
  const making = {
    what: `a backup of ${of} and its trial; ratio: their rows read`,
    most: backup,
    bare: bare.read,
  };
  const { _id, bytes, provedAt, fault } = await tellAct(stand, making, () =>
    call<Made>('POST', '/backup', { farmUID, desc: 'Bench' }),
  );
  if (provedAt === null) throw new Error(`The backup was not tried out: ${fault}`);
  record({
    what: 'its size',
    value: `${(bytes / 1024).toFixed(0)} KB`,
    ...(count === 1000 && { target: { text: `at most ${KB_OF_1000} KB`, met: bytes <= KB_OF_1000 * 1024 } }),
  });
  await stand.sql.query(
    `update device set name = name || 'x', version = version + 1 where farm_id = $1 and kind = 'sprinkler'`,
    [farmId],
  );
  const planning = { what: `the plan of a restore that changes all of ${of}`, most: backup, bare: bare.read };
  await tellAct(stand, planning, () => call('POST', '/backup/plan', { farmUID, bakUID: _id }));
  const restoring = { what: `that restore; ratio: their rows stored`, most: restore, bare: bare.stored };
  const { batchId } = await tellAct(stand, restoring, () =>
    call<{ batchId: string }>('PUT', '/backup/restore', { farmUID, bakUID: _id }),
  );
  const undoing = { what: `its undo`, most: restore, bare: bare.stored };
  await tellAct(stand, undoing, () => call('POST', '/undo', { farmUID, batchId, act: 'restore' }));
}
