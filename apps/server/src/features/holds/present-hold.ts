import type { HoldEnd, PaddockHold } from '@headrace/contract/paddock-holds';
import type { HoldRow, HoldUnit } from './read-holds.ts';

/** As it is told. */
export function presentHold(
  { units, groupUID, from, until, endedAt, ...row }: HoldRow,
  farmUID: string,
  now: Date,
): PaddockHold {
  const isOn = endedAt === null;
  return {
    uid: row.uid,
    name: row.name,
    reason: row.reason,
    by: row.by,
    isMissed: row.isMissed,
    commandId: row.commandId,
    endCommandIds: row.endCommandIds,
    farmUID,
    groupUID: groupUID === '' ? null : groupUID,
    from: from.toISOString(),
    until: until.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    units: units.map(({ uid }) => uid),
    total: units.length,
    stopped:
      isOn || endedAt > now
        ? units.filter(({ isStopped, hasAnswered }) => isStopped && hasAnswered).length
        : 0,
    stillStopped: isOn ? [] : units.filter(({ isStopped }) => isStopped).map(({ uid }) => uid),
    end: isOn ? null : endOf(units),
  };
}

/** What its end did, by sprinkler. */
const endOf = (units: readonly HoldUnit[]): HoldEnd => ({
  again: units.filter(({ how }) => how === 'again').length,
  waiting: units.filter(({ how }) => how === 'waits').length,
  others: units.flatMap(({ uid, name, how, note, at }) =>
    how === null || how === 'again' || how === 'waits'
      ? []
      : [{ uid, name, why: how, note: note ?? '', at: at === null ? null : new Date(at).toISOString() }],
  ),
});
