import { invalid } from '../../http/errors.ts';
import type { Deed, PlanItem } from './plan-items.ts';

/** Rows by their numbers, as `POST /import/apply` has them. */
interface Choice {
  readonly skip?: readonly number[] | undefined;
  readonly take?: readonly number[] | undefined;
  readonly stay?: readonly number[] | undefined;
}

/** What is done, and how. */
export type Chosen = ReadonlyMap<PlanItem, Deed>;

/** Throws invalid where a row is chosen twice, of rows that go together not all are, or of rows about one device more than one. */
export function chosenOf(items: readonly PlanItem[], { skip = [], take = [], stay = [] }: Choice): Chosen {
  const [left, taken, staying] = [new Set(skip), new Set(take), new Set(stay)];
  const twice = stay.find((index) => taken.has(index));
  if (twice !== undefined) throw invalid(`Row ${twice} is in take, too: choose one of them.`, 'stay');
  const chosen = new Map<PlanItem, Deed>();
  for (const [index, item] of items.entries()) {
    const deed = deedOf(item, {
      isLeft: left.has(index),
      isTaken: taken.has(index),
      stays: staying.has(index),
    });
    if (deed) chosen.set(item, deed);
  }
  refuseHalves(items, chosen);
  refuseTwins(chosen);
  return chosen;
}

function deedOf(
  { row: { action }, deed, staying }: PlanItem,
  { isLeft, isTaken, stays }: { isLeft: boolean; isTaken: boolean; stays: boolean },
): Deed | null {
  if (action === 'choose') return isTaken ? deed : stays ? (staying ?? null) : null;
  return (action === 'add' || action === 'change') && !isLeft ? deed : null;
}

function refuseHalves(items: readonly PlanItem[], chosen: Chosen): void {
  const groups = new Map<number, PlanItem>();
  for (const item of items) {
    const { together } = item.row;
    if (together === undefined) continue;
    const first = groups.get(together) ?? item;
    groups.set(together, first);
    if (chosen.has(first) !== chosen.has(item))
      throw invalid(
        `Lines ${first.row.line} and ${item.row.line} go together: choose both of them, or neither.`,
        'take',
      );
  }
}

function refuseTwins(chosen: Chosen): void {
  const taken = new Map<number, PlanItem>();
  for (const item of chosen.keys())
    for (const number of item.row.apart ?? []) {
      const before = taken.get(number);
      if (before)
        throw invalid(
          `Lines ${before.row.line} and ${item.row.line} are about the same device: choose one of them.`,
          'take',
        );
      taken.set(number, item);
    }
}
