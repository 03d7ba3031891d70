import type { KeptTake } from './kept-takes.ts';

/**
 * A take as it was, with what people read off its meters and noted since: that is evidence, and stays. `left`: the take as what is undone
 * left it, whose evidence is known; without it all that the take has now and hadn't then is later.
 */
export function withLater(was: KeptTake, now: KeptTake | null, left: KeptTake | null = null): KeptTake {
  if (!now) return was;
  const meters = new Set(was.meters.map(({ uid }) => uid));
  const known = [...was.readings, ...(left?.readings ?? [])];
  const readings = new Set(known.map(({ uid }) => uid));
  const notes = new Set([...was.notes, ...(left?.notes ?? [])].map(({ from }) => from));
  return {
    ...was,
    readings: [
      ...was.readings,
      ...now.readings.filter(({ uid, meterUid }) => !readings.has(uid) && meters.has(meterUid)),
    ].toSorted((a, b) => (a.uid < b.uid ? -1 : 1)),
    notes: [...was.notes, ...now.notes.filter(({ from }) => !notes.has(from))].toSorted((a, b) =>
      a.from < b.from ? -1 : 1,
    ),
  };
}

/** Without who entered what: an account that was erased is no change of a take. */
export const withoutAccounts = (take: KeptTake) => ({
  ...take,
  readings: take.readings.map(({ accountId: _account, ...reading }) => reading),
  notes: take.notes.map(({ accountId: _account, ...note }) => note),
});
