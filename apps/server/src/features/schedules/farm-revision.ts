import { createHash } from 'node:crypto';
import type { ScheduleFarm } from '@headrace/contract/schedule-templates';

/** Changes with whatever a computation for these groups rests on: names, sprinklers in service, water application. */
export function revisionOf(
  { groups, v3Site }: ScheduleFarm,
  chosen: readonly { readonly uid: string }[],
): string {
  const uids = new Set(chosen.map(({ uid }) => uid));
  const facts = groups
    .filter(({ uid }) => uids.has(uid))
    .map(({ uid, name, walConfig, ipcs }) => [
      uid,
      name,
      walConfig.type,
      walConfig.sprinklerFlow,
      walConfig.sprinklerCoverage,
      ipcs.map(({ id, name: unit, serialNumber }) => [id, unit, serialNumber].join('\n')).toSorted(),
    ]);
  const text = JSON.stringify([v3Site, facts]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
