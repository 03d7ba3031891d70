import type { ImportPlan, ImportRow } from '@headrace/contract/imports';

/** `stay`: it is done, but what it is about stays in its lateral group, or where it is. */
export type RowChoice = 'leave' | 'take' | 'stay';
/** Of rows, by their numbers, that are not as they were at first. */
export type RowChoices = ReadonlyMap<number, RowChoice>;

export const isOnByItself = ({ action }: ImportRow) => action === 'add' || action === 'change';

export const choiceOf = (choices: RowChoices, row: ImportRow): RowChoice =>
  row.action === 'left out' ? 'leave' : (choices.get(row.row) ?? (isOnByItself(row) ? 'take' : 'leave'));

/** It asks for more than a tick. */
export const isSwap = ({ others, together }: ImportRow): boolean =>
  others !== undefined || together !== undefined;
export const mayStay = ({ stay }: ImportRow): boolean => stay !== undefined;
/** It may be done in the place of another row. */
export const isInstead = ({ action, apart }: ImportRow): boolean =>
  action === 'choose' && apart !== undefined;

/** Some of the rows are chosen: those that go together with them are done, or left out, with them. Of rows about one device the last stays. */
export function choicesAfter(
  all: readonly ImportRow[],
  before: RowChoices,
  chosen: readonly ImportRow[],
  choice: RowChoice,
): RowChoices {
  const after = withGroups(all, before, chosen, choice);
  const numbers = new Set(chosen.map(({ row }) => row));
  const isTaken = (row: ImportRow) => choiceOf(after, row) !== 'leave';
  const now = new Set(
    all.filter((row) => isTaken(row) && (numbers.has(row.row) || choiceOf(before, row) === 'leave')),
  );
  const taken = new Set([...now].flatMap(({ apart = [] }) => apart));
  const given = all.filter(
    (row) => isTaken(row) && !now.has(row) && row.apart?.some((number) => taken.has(number)),
  );
  return given.length === 0 ? after : withGroups(all, after, given, 'leave');
}

function withGroups(
  all: readonly ImportRow[],
  before: RowChoices,
  chosen: readonly ImportRow[],
  choice: RowChoice,
): Map<number, RowChoice> {
  const after = new Map(before);
  const groups = new Set<number>();
  for (const row of chosen) {
    after.set(row.row, choiceFor(row, choice));
    if (row.together !== undefined) groups.add(row.together);
  }
  if (groups.size === 0) return after;
  const numbers = new Set(chosen.map(({ row }) => row));
  const isLeft = choice === 'leave';
  for (const row of all) {
    if (row.together === undefined || !groups.has(row.together) || numbers.has(row.row)) continue;
    if (isLeft || choiceOf(after, row) === 'leave') after.set(row.row, isLeft ? 'leave' : 'take');
  }
  return after;
}

/** Where nothing is left to do of what stays, it is left out. */
function choiceFor({ stay }: ImportRow, choice: RowChoice): RowChoice {
  if (choice !== 'stay') return choice;
  if (stay === undefined) return 'take';
  return stay.length > 0 ? 'stay' : 'leave';
}

/** The same file, planned anew: what somebody has chosen stays so, of rows that are what they were. */
export function choicesIn(newer: ImportPlan, older: ImportPlan, choices: RowChoices): RowChoices {
  const were = new Map(
    keyed(older).flatMap(([key, row]) => {
      const choice = choices.get(row);
      return choice ? [[key, choice] as const] : [];
    }),
  );
  return new Map(
    keyed(newer).flatMap(([key, row]) => {
      const choice = were.get(key);
      return choice ? [[row, choice] as const] : [];
    }),
  );
}

/** A file may have several of one name in one line: they are told apart by their order, and by what there is to choose. */
function keyed({ rows }: ImportPlan): [key: string, row: number][] {
  const counts = new Map<string, number>();
  return rows.map(({ row, action, kind, line, name, others, together, stay }) => {
    const asks = JSON.stringify([others, together, stay]);
    const of = `${action} ${kind} ${line} ${name} ${asks}`;
    const nth = counts.get(of) ?? 0;
    counts.set(of, nth + 1);
    return [`${of} ${nth}`, row];
  });
}
