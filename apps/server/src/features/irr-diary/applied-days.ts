import type { Diary } from './diary-reader.ts';
import type { ReasonedEntry } from './unit-days.ts';
import type { DiaryUnit, Grouping } from './diary-units.repo.ts';
import type { Setting } from './present-log.ts';

const MINUTE = 60_000;

/** What a group was given in a time: mean of its sprinklers, mm. */
export interface AppliedMm {
  readonly groupUid: string;
  readonly mm: number;
  /** If those that were not heard watered as planned, and those of unknown length for as long as they may have. */
  readonly mostMm: number;
  /** Waterings of which nothing is known, or not how long. */
  readonly notKnown: number;
}

type AppliedDiary = Pick<Diary, 'entries' | 'units' | 'groups' | 'groupingAt'>;

/**
 * Of each group, by what is believed: of those that were in it at that time, epoch ms, or watered as its members. A group that had nobody
 * then tells what those were given that it has now. Part sprinklers give more where they water, and nobody knows how much: they are left
 * out where a group has others. Who is out of service has no share in the mean.
 */
export function appliedByGroup(told: AppliedDiary, at: number, setting: Setting): AppliedMm[] {
  const inService = told.units.filter(({ isOutOfService }) => !isOutOfService);
  return told.groups.map(({ id, uid }) => {
    const of = told.entries.filter(({ grouping }) => isIn(grouping, uid));
    const members = told.units.filter((unit) => isIn(told.groupingAt(unit, at), uid));
    if (members.length > 0 || of.length > 0) {
      const served = members.filter(({ isOutOfService }) => !isOutOfService);
      return { groupUid: uid, ...meanOf(of, served, setting) };
    }
    const now = new Set(inService.filter(({ groupIds }) => groupIds.includes(id)));
    const theirs = told.entries.filter(({ unit }) => now.has(unit));
    return { groupUid: uid, ...meanOf(theirs, [...now], setting) };
  });
}

const isIn = ({ groups }: Grouping, groupUid: string) => groups.some(({ uid }) => uid === groupUid);

function meanOf(
  of: readonly ReasonedEntry[],
  members: readonly DiaryUnit[],
  setting: Setting,
): Omit<AppliedMm, 'groupUid'> {
  const all = new Map([...members, ...of.map(({ unit }) => unit)].map((unit) => [unit.uid, unit]));
  const whole = [...all.values()].filter(({ isPart }) => !isPart);
  const counted = new Set((whole.length > 0 ? whole : [...all.values()]).map(({ uid }) => uid));
  let [mm, mostMm, notKnown] = [0, 0, 0];
  for (const entry of of) {
    if (!counted.has(entry.unit.uid)) continue;
    const believed = entry.applied?.mm.believed ?? 0;
    const isUnheard = entry.applied === null && !isToCome(entry);
    mm += believed;
    // Of one whose length isn't known, what is believed is no more than what is certain.
    const known = entry.isLengthKnown ? believed : (entry.applied?.mm.most ?? 0);
    mostMm += isUnheard ? plannedMm(entry, setting) : known;
    notKnown += isUnheard || (entry.applied !== null && !entry.isLengthKnown) ? 1 : 0;
  }
  const n = Math.max(1, counted.size);
  return { mm: mm / n, mostMm: mostMm / n, notKnown };
}

const isToCome = ({ reasons }: ReasonedEntry) => reasons.some(({ code }) => code === 'notOver');

const plannedMm = ({ planned, unit }: ReasonedEntry, setting: Setting) =>
  planned ? ((planned.endAt - planned.startAt) / MINUTE) * setting.ratesOf(unit).mmPerMin : 0;
