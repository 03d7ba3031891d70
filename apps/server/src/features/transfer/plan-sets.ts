import { SCHEDULE_SETS_PER_FARM, TEMPLATE_NAME_MAX } from '@headrace/contract/limits';
import { can, hasRight, type Permissions } from '@headrace/contract/permissions';
import { shown } from '@headrace/contract/rules/files/file-units';
import type { FileSet, FileTurn } from '@headrace/contract/rules/files/read-schedules';
import { line as lineRule } from '@headrace/contract/rules/form-rules';
import type { ScheduleFinding, ScheduleSet } from '@headrace/contract/schedules';
import { wholeText } from '@headrace/contract/rules/number-text';
import { ApiFailure } from '../../http/errors.ts';
import type { FarmForSets } from '../schedules/file-sets.ts';
import { breathe, mapInTurns } from '../../jobs/in-turns.ts';
import { atName, mayNot, onLine } from './fault-place.ts';
import { createNearest, didYouMean } from './nearest.ts';
import type { PlanItem } from './plan-items.ts';
import { leftOut } from './plan-places.ts';

const judgeName = lineRule('Set', TEMPLATE_NAME_MAX);

/** What each set of a file would do. A set isn't changed: one that differs takes the place of the one of its name in lists. */
export async function planSets(
  sets: readonly FileSet[],
  farm: FarmForSets,
  permissions: Permissions,
  /** Serial numbers in small letters, of sprinklers that the same file adds or puts in place of others. */
  coming: ReadonlySet<string> = new Set(),
): Promise<PlanItem[]> {
  let room = SCHEDULE_SETS_PER_FARM - farm.sets.length;
  const judged: Judged[] = [];
  for (const set of sets) judged.push(await judgeSet(set, farm, coming));
  const partners = await partnersOf(judged, farm.sets);
  const nearest = nearestStrangers(sets, farm);
  const planned = await mapInTurns(judged, (one) => {
    const { set, here, strangers, checked } = one;
    const of = { line: set.line, name: set.name, kind: 'schedule set' };
    if (!hasRight(permissions, can('schedules', 'Read')))
      return [leftOut(of, onLine(of, mayNot('see schedules of this farm')))];
    const { before, isSame = false } = partners.get(one) ?? {};
    if (before && strangers.length === 0 && isSame)
      return [{ row: { ...of, action: 'same' as const, fields: [], why: '' }, deed: null }];
    if (!hasRight(permissions, can('schedules', 'Create')))
      return [leftOut(of, set.faults.length > 0 ? one.refusal : onLine(of, mayNot('add schedules')))];
    const named = one.tellsStrangers ? strangers.map((turn) => stranger(set, turn, nearest)) : [];
    if (checked === null) return [leftOut(of, one.refusal), ...named];
    if (!before && room <= 0)
      return [
        leftOut(
          of,
          atName(of, `A farm has ${SCHEDULE_SETS_PER_FARM} schedule sets at most. Please delete one first.`),
        ),
      ];
    room -= before ? 0 : 1;
    return [planSet(set, here, checked, before, farm), ...named];
  });
  return planned.flat();
}

/** A set of the file by itself: whether it may be stored, whatever stands in its place. */
interface Judged {
  readonly set: FileSet;
  /** Its turns of sprinklers that the farm has, and of others. */
  readonly here: readonly FileTurn[];
  readonly strangers: readonly FileTurn[];
  /** null: `refusal` says why it can't be stored. */
  readonly checked: Awaited<ReturnType<FarmForSets['check']>> | null;
  readonly refusal: string;
  /** The plan names each of the strangers. */
  readonly tellsStrangers: boolean;
}

async function judgeSet(set: FileSet, farm: FarmForSets, coming: ReadonlySet<string>): Promise<Judged> {
  await breathe();
  const here = set.turns.filter(({ serialNumber }) => farm.hasUnit(serialNumber));
  const strangers = set.turns.filter(({ serialNumber }) => !farm.hasUnit(serialNumber));
  const later = strangers.filter(({ serialNumber }) => coming.has(serialNumber.toLowerCase())).length;
  const of = { set, here, strangers, tellsStrangers: set.faults.length === 0 && later === 0 };
  const refused = (refusal: string): Judged => ({ ...of, checked: null, refusal });
  if (set.faults.length > 0) return refused(faultText(set.faults));
  if (later > 0)
    return refused(
      atName(
        set,
        `${later} of its ${set.turns.length} turns are of sprinklers that this file adds. Import the file once more when they are there.`,
      ),
    );
  const refusal = refuse(set, here, farm);
  if (refusal !== null) return refused(refusal);
  await breathe();
  try {
    return { ...of, checked: await farm.check({ ...set, turns: here }), refusal: '' };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return refused(placedAt(error, set, here));
  }
}

/** With the line of the sprinkler that it is about, where the file names it so. */
function placedAt({ message, current }: ApiFailure, set: FileSet, turns: readonly FileTurn[]): string {
  const { findings = [] } = (current ?? {}) as { findings?: readonly ScheduleFinding[] };
  const unit = findings[0]?.unit;
  const turn = unit === undefined ? undefined : turns.find(({ name }) => name === unit);
  return turn
    ? `Line ${turn.line}, sprinkler, '${shown(turn.name || turn.serialNumber)}': ${message}`
    : atName(set, message);
}

function planSet(
  set: FileSet,
  turns: readonly FileTurn[],
  checked: NonNullable<Judged['checked']>,
  before: ScheduleSet | undefined,
  farm: FarmForSets,
): PlanItem {
  const missing = set.turns.length - turns.length;
  const asks = [
    before && before._id === farm.currentUid
      ? `The farm waters by ${before.name}. This takes its place in the list; sprinklers get it with the next Send Schedule.`
      : '',
    missing > 0
      ? `${missing} of its ${set.turns.length} turns are of sprinklers that aren't on the farm.`
      : '',
  ].filter(Boolean);
  return {
    row: {
      line: set.line,
      name: set.name,
      kind: 'schedule set',
      action: asks.length > 0 ? 'choose' : before ? 'change' : 'add',
      fields: [
        { field: 'turns', from: before ? countText(before.schedules) : '', to: countText(turns) },
        { field: 'cycle', from: before ? `${before.settings.cycleLen} min` : '', to: `${set.cycleLen} min` },
      ].filter(({ from, to }) => from !== to),
      why: asks.length > 0 ? asks.join(' ') : 'It is sent to no sprinkler by this.',
    },
    deed: { do: 'set', set: { ...checked, replaces: before ? farm.idOf(before._id) : null } },
  };
}

type Entries = { readonly schedules: readonly { readonly duration: number }[] };
/** "12 turns, 360 min" */
const countText = (turns: readonly Entries[]): string => {
  const minutes = turns
    .flatMap(({ schedules }) => schedules)
    .reduce((sum, { duration }) => sum + duration, 0);
  return `${wholeText(turns.length)} turns, ${wholeText(minutes)} min`;
};

/** A sentence where the set can't be; null: it may, as far as is known here. */
function refuse(set: FileSet, turns: readonly FileTurn[], farm: FarmForSets): string | null {
  const { name } = set;
  if (turns.length === 0) {
    const [first] = set.turns;
    const nearest = first ? createNearest(() => farm.serialNumbers)(first.serialNumber) : [];
    return `Line ${first?.line ?? set.line}, serial_number, '${shown(first?.serialNumber ?? '')}': none of its sprinklers is on the farm.${didYouMean(nearest) || ' Import the list of devices first.'}`;
  }
  const unknown = new Map<string, number>();
  for (const { group, line } of turns)
    if (!farm.hasGroup(group) && !unknown.has(group)) unknown.set(group, line);
  if (unknown.size === 0) {
    const fault = judgeName(name);
    return fault === null ? null : `Line ${set.line}, set, '${shown(name)}': ${fault}`;
  }
  const nearest = createNearest(() => farm.groupNames);
  return faultText(
    [...unknown].map(
      ([group, line]) =>
        `Line ${line}, group, '${shown(group)}': the farm has no such group.${didYouMean(nearest(group)) || ' Add it first.'}`,
    ),
  );
}

const stranger = (
  { name }: FileSet,
  turn: FileTurn,
  nearest: (serial: string) => readonly string[],
): PlanItem =>
  leftOut(
    { line: turn.line, name: turn.name || turn.serialNumber, kind: 'sprinkler' },
    `Line ${turn.line}, serial_number, '${shown(turn.serialNumber)}': the farm has no sprinkler with it, of set ${shown(name)}.${didYouMean(nearest(turn.serialNumber))}`,
  );

/** Among the sprinklers that the file has nothing for: those that it names it didn't mistake. */
const nearestStrangers = (sets: readonly FileSet[], { serialNumbers }: FarmForSets) =>
  createNearest(() => {
    const named = new Set(
      sets.flatMap(({ turns }) => turns.map(({ serialNumber }) => serialNumber.toLowerCase())),
    );
    return serialNumbers.filter((serial) => !named.has(serial.toLowerCase()));
  });

const FAULTS_SHOWN = 10;
const faultText = (faults: readonly string[]) =>
  [
    ...faults.slice(0, FAULTS_SHOWN),
    ...(faults.length > FAULTS_SHOWN ? [`…and ${faults.length - FAULTS_SHOWN} more.`] : []),
  ].join(' ');

interface Partner {
  readonly before: ScheduleSet;
  readonly isSame: boolean;
}

/**
 * Each set of the farm for one of the file at most: by its id, else the same one of its name, else the newest of its name. One that
 * can't be stored takes none by its name alone: another one of that name may be to take its place.
 */
async function partnersOf(
  judged: readonly Judged[],
  known: readonly ScheduleSet[],
): Promise<Map<Judged, Partner>> {
  await breathe();
  const sets = judged.map(({ set }) => set);
  const names = new Set(sets.map(nameOf));
  const uids = new Set(sets.map(({ uid }) => uid));
  const free = new Map<ScheduleSet, string>();
  for (const set of known)
    if (names.has(nameOf(set)) || uids.has(set._id))
      free.set(set, await wateringOf(set.settings.cycleLen, entered(set)));
  const waterings = new Map<Judged, string>();
  for (const one of judged) waterings.set(one, await wateringOf(one.set.cycleLen, one.set.turns));
  const partners = new Map<Judged, Partner>();
  const pair = (fits: (one: Judged, before: ScheduleSet, isSame: boolean) => boolean) => {
    for (const [one, watering] of waterings) {
      if (partners.has(one) || one.set.faults.length > 0) continue;
      const found = [...free].findLast(([before, its]) => fits(one, before, its === watering));
      if (!found) continue;
      partners.set(one, { before: found[0], isSame: found[1] === watering });
      free.delete(found[0]);
    }
  };
  pair(({ set }, { _id }) => _id === set.uid);
  pair(({ set }, before, isSame) => isSame && nameOf(before) === nameOf(set));
  pair(({ set, checked }, before) => checked !== null && nameOf(before) === nameOf(set));
  return partners;
}

const nameOf = ({ name }: { readonly name: string }): string => name.toLowerCase();
const entered = ({ schedules: turns }: ScheduleSet) => turns.filter(({ schedules }) => schedules.length > 0);

/** Alike for sets that water alike. */
async function wateringOf(cycleLen: number, turns: readonly Parameters<typeof keyOf>[0][]): Promise<string> {
  const keys = await mapInTurns(turns, keyOf);
  await breathe();
  keys.sort();
  await breathe();
  return JSON.stringify([cycleLen, ...keys]);
}

const keyOf = ({ serialNumber, group, scheduleGroup, schedules }: Omit<FileTurn, 'line' | 'name'>): string =>
  JSON.stringify([
    serialNumber.toLowerCase(),
    group.toLowerCase(),
    scheduleGroup.toLowerCase(),
    ...schedules.map(({ start, duration }) => `${start}+${duration}`).toSorted(),
  ]);
