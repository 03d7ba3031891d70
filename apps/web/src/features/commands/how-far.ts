import type { Command } from '@headrace/contract/commands';
import { numberText } from '../../ui/format.ts';

export type Counted = Pick<Command, 'total' | 'done' | 'failed' | 'hadIt' | 'leftOut'>;

/** Units that a command is sent to, without those that had it already or were left out. */
export const sentTo = ({ total, hadIt, leftOut }: Counted): number => total - hadIt - leftOut;

/** Of those, the ones that it is done for. */
export const doneOfSent = ({ done, hadIt }: Counted): number => done - hadIt;

const also = (count: number, before: string, after: string) =>
  count ? before + numberText(count) + after : '';

/** How far it is, of those that its plan said it goes to: "12 of 152 done, 3 failed; 148 had it already; 2 left out". */
export const howFarText = (counted: Counted): string =>
  `${numberText(doneOfSent(counted))} of ${numberText(sentTo(counted))} done` +
  also(counted.failed, ', ', ' failed') +
  also(counted.hadIt, '; ', ' had it already') +
  also(counted.leftOut, '; ', ' left out');
