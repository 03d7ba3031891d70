import type { DiaryReader, ToldEntry } from './diary-reader.ts';
import type { DiaryGroup, DiaryUnit } from './diary-units.repo.ts';
import type { Setting } from './present-log.ts';

const MINUTE = 60_000;

/** What a group was given in a time: mean of its sprinklers, mm. */
export interface AppliedMm {
  readonly groupUid: string;
  readonly mm: number;
  /** If those that were not heard watered as planned. */
  readonly mostMm: number;
  /** Waterings of which nothing is known. */
  readonly notKnown: number;
}

type Diary = Pick<Awaited<ReturnType<DiaryReader['read']>>, 'entries' | 'units' | 'groups'>;

/**
 * Of each group, by what is believed. Part sprinklers give more where they water, and nobody knows how much: they are left out where a
 * group has others. Who is out of service has no share in the mean.
 */
export function appliedByGroup({ entries, units, groups }: Diary, setting: Setting): AppliedMm[] {
  return groups.map((group) => appliedOf(group, entries, units, setting));
}

function appliedOf(
  { id, uid: groupUid }: DiaryGroup,
  entries: readonly ToldEntry[],
  units: readonly DiaryUnit[],
  setting: Setting,
): AppliedMm {
  const of = entries.filter(({ grouping }) => grouping.groups.some(({ uid }) => uid === groupUid));
  const members = units.filter(({ groupIds, isOutOfService }) => groupIds.includes(id) && !isOutOfService);
  const all = new Map([...members, ...of.map(({ unit }) => unit)].map((unit) => [unit.uid, unit]));
  const whole = [...all.values()].filter(({ isPart }) => !isPart);
  const counted = new Set((whole.length > 0 ? whole : [...all.values()]).map(({ uid }) => uid));
  let [mm, mostMm, notKnown] = [0, 0, 0];
  for (const entry of of) {
    if (!counted.has(entry.unit.uid)) continue;
    const believed = entry.applied?.mm.believed ?? 0;
    const isUnheard = entry.applied === null && !isToCome(entry);
    mm += believed;
    mostMm += isUnheard ? plannedMm(entry, setting) : believed;
    notKnown += isUnheard ? 1 : 0;
  }
  const n = Math.max(1, counted.size);
  return { groupUid, mm: mm / n, mostMm: mostMm / n, notKnown };
}

const isToCome = ({ reasons }: ToldEntry) => reasons.some(({ code }) => code === 'notOver');

const plannedMm = ({ planned, unit }: ToldEntry, setting: Setting) =>
  planned ? ((planned.endAt - planned.startAt) / MINUTE) * setting.ratesOf(unit).mmPerMin : 0;
