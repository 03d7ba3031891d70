import type { QueryClient } from '@tanstack/react-query';
import type { AnyRouter } from '@tanstack/react-router';
import type { FarmCard } from '@headrace/contract/farms';
import { flags, levels, resources } from '@headrace/contract/permissions';
import { session } from '../api/session.ts';
import type { FarmPermissions } from '../access/permissions.ts';
import { selectFarm } from '../farm/current-farm.ts';
import { DELETE_FARM_KEY, renewFarms } from '../features/farms/farm-edit.queries.ts';
import { farmsCardQuery } from '../farm/farms.queries.ts';
import { renewShares, shutFarms } from '../features/sharing/sharing.queries.ts';
import { toast } from '../ui/toasts.ts';

/** With more farms than this they are counted, not named. */
const NAMED = 3;

/** What stood on the screens when it changed: a page of a farm that is gone leads to the one that says 403, and the list is asked for anew. */
export interface Here {
  queryClient: QueryClient;
  router: AnyRouter;
  href: string;
  farms: readonly FarmCard[];
  current: FarmCard | null;
}

/** Takes farms that are lost from the screens, and tells what was lost or lowered. Once it has ended no page of a lost farm is open. */
export async function followAccess(
  here: Here,
  before: readonly FarmPermissions[],
  after: readonly FarmPermissions[],
): Promise<void> {
  const { queryClient, farms } = here;
  const was = byFarm(before);
  const is = byFarm(after);
  const lost = farms.filter(({ _id }) => was.has(_id) && !is.has(_id));
  const lowered = farms.filter(({ _id }) => isLowered(was.get(_id), is.get(_id)));
  const isLeft = lost.length > 0 ? forget(here, lost) : undefined;
  if (lowered.length > 0) toast.error(`Your rights on ${namesOf(lowered)} were lowered.`);
  void renewShares(queryClient);
  if (lost.length > 0 || after.some(({ farmUID }) => !was.has(farmUID))) void renewFarms(queryClient);
  await isLeft;
}

const byFarm = (rows: readonly FarmPermissions[]) => new Map(rows.map((row) => [row.farmUID, row]));

function isLowered(before: FarmPermissions | undefined, after: FarmPermissions | undefined): boolean {
  if (!before || !after) return false;
  return (
    resources.some((name) => (before[name] & ~after[name] & levels.All) !== 0) ||
    flags.some((name) => before[name] && !after[name])
  );
}

/** The current farm moves on to the next, and a page of a farm that is gone leads home, whatever is typed there. */
async function forget(
  { queryClient, router, href, farms, current }: Here,
  lost: readonly FarmCard[],
): Promise<void> {
  const left = farms.filter((farm) => !lost.includes(farm));
  queryClient.setQueryData(farmsCardQuery.queryKey, left);
  const place = farms.findIndex(({ _id }) => _id === current?._id);
  if (lost.some(({ _id }) => _id === current?._id)) {
    const next = farms.slice(place + 1).find((farm) => left.includes(farm)) ?? left[0];
    if (next) selectFarm(queryClient, next._id);
  }
  const isLeft = lost.some(({ _id }) => href.includes(_id))
    ? router.navigate({ to: '/', replace: true, ignoreBlocker: true })
    : undefined;
  // A farm of one's own that is gone was deleted: who did it was told.
  const isOwn =
    session().type === 'SUBSCRIBER' || queryClient.isMutating({ mutationKey: DELETE_FARM_KEY }) > 0;
  if (!isOwn) void tellLost(queryClient, lost);
  await isLeft;
}

/** A share that has ended, or one that gives nothing without a second step. */
async function tellLost(queryClient: QueryClient, lost: readonly FarmCard[]): Promise<void> {
  const shut = await shutFarms(queryClient).catch(() => new Set<string>());
  const tell = (farms: readonly FarmCard[], what: string) =>
    farms.length > 0 && toast.error(`${namesOf(farms)} ${farms.length === 1 ? 'is' : 'are'} ${what}`);
  tell(
    lost.filter(({ _id }) => !shut.has(_id)),
    'no longer shared with you.',
  );
  tell(
    lost.filter(({ _id }) => shut.has(_id)),
    'shut until your account has two-step sign-in.',
  );
}

function namesOf(farms: readonly FarmCard[]): string {
  if (farms.length > NAMED) return `${farms.length} farms`;
  const names = farms.map(({ name }) => name);
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
