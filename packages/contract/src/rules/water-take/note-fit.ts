import type { Gap } from '../alerts/silence.ts';

/** What a person noted of a time. */
export interface TakeNote {
  readonly from: Date;
  readonly to: Date;
  readonly note: string;
}

/** The note that fits a gap best: a gap changes when readings come late, and what was noted of it stays. */
export function bestNote<N extends Omit<TakeNote, 'note'>>(notes: readonly N[], gap: Gap): N | undefined {
  let [best, most]: [N | undefined, number] = [undefined, 0];
  for (const one of notes) {
    const [from, to] = [one.from.getTime(), one.to.getTime()];
    const shared = Math.min(to, gap.to) - Math.max(from, gap.from);
    const fit = shared / (Math.max(to, gap.to) - Math.min(from, gap.from));
    if (fit > most) [best, most] = [one, fit];
  }
  return best;
}

/** Notes that a new one of the same gap takes the place of: those that begin with it, or end with it and began later. */
export const replacedBy = <N extends Omit<TakeNote, 'note'>>(notes: readonly N[], { from, to }: Gap): N[] =>
  notes.filter(
    (one) => one.from.getTime() === from || (one.to.getTime() === to && one.from.getTime() >= from),
  );
