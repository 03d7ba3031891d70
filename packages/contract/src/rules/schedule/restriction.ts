/** What those sprinklers use that are in just these groups, L on the mean of their days: each sprinkler counts once. */
export interface SharedUse {
  readonly groupUIDs: readonly string[];
  readonly litresADay: number;
}

export interface Restricted {
  /** All of them, L a day, and what is left to them. */
  readonly beforeLitres: number;
  readonly allowedLitres: number;
  /** Of those that go on. */
  readonly afterLitres: number;
  readonly isEnough: boolean;
}

/** A spoonful more is no breach, L a day. */
const ROUNDING = 1;

const sum = (uses: readonly SharedUse[]) => uses.reduce((litres, { litresADay }) => litres + litresADay, 0);
const isStopped = ({ groupUIDs }: SharedUse, stopped: ReadonlySet<string>) =>
  groupUIDs.some((uid) => stopped.has(uid));

/** `share`: by how much less may be taken; 1: nothing may. A group that stops takes all its sprinklers with it, whatever else they are in. */
export function restricted(
  uses: readonly SharedUse[],
  stopped: ReadonlySet<string>,
  share: number,
): Restricted {
  const beforeLitres = sum(uses);
  const allowedLitres = beforeLitres * (1 - share);
  const afterLitres = sum(uses.filter((use) => !isStopped(use, stopped)));
  return { beforeLitres, allowedLitres, afterLitres, isEnough: afterLitres <= allowedLitres + ROUNDING };
}

/**
 * Who stops, so that no more is taken than may be: groups go on in their order as far as the water reaches. One that shares sprinklers
 * with more others, as a group of all, is asked later: it would take them all with it.
 */
export function suggestStops(
  groupUIDs: readonly string[],
  uses: readonly SharedUse[],
  share: number,
): string[] {
  const wet = uses.filter(({ litresADay }) => litresADay > 0);
  const waters = groupUIDs.filter((uid) => wet.some((use) => use.groupUIDs.includes(uid)));
  if (share >= 1) return waters;
  const { allowedLitres } = restricted(wet, new Set(), share);
  const neighbours = (uid: string) =>
    new Set(wet.flatMap((use) => (use.groupUIDs.includes(uid) ? use.groupUIDs : []))).size;
  const [going, stopped] = [new Set<string>(), new Set<string>()];
  for (const uid of waters.toSorted((one, other) => neighbours(one) - neighbours(other))) {
    const on = (use: SharedUse) => use.groupUIDs.some((of) => of === uid || going.has(of));
    const litres = sum(wet.filter((use) => on(use) && !isStopped(use, stopped)));
    (litres <= allowedLitres + ROUNDING ? going : stopped).add(uid);
  }
  return waters.filter((uid) => stopped.has(uid));
}
