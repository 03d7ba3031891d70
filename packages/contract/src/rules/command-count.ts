import type { Command } from '../commands.ts';

export type Counted = Pick<Command, 'total' | 'done' | 'failed' | 'hadIt' | 'leftOut'>;

/** Units that a command is sent to: without those that had it already or were left out. */
export const sentTo = ({ total, hadIt, leftOut }: Counted): number => total - hadIt - leftOut;

/** Of those, the ones that it is done for. */
export const doneOfSent = ({ done, hadIt }: Counted): number => done - hadIt;

/** "; 148 had it already"; empty: none had. */
export const hadItText = (count: number, write: (count: number) => string = String): string =>
  count > 0 ? `; ${write(count)} had it already` : '';

/** How far it is, of those that its plan said it goes to: "12 of 152 done, 3 failed; 148 had it already; 2 left out". */
export function howFarText(counted: Counted, write: (count: number) => string = String): string {
  const { failed, hadIt, leftOut } = counted;
  const bad = failed > 0 ? `, ${write(failed)} failed` : '';
  const out = leftOut > 0 ? `; ${write(leftOut)} left out` : '';
  return `${write(doneOfSent(counted))} of ${write(sentTo(counted))} done${bad}${hadItText(hadIt, write)}${out}`;
}
