import type { FarmSummary } from '@headrace/contract/farms';
import type { Condition } from '../../ui/tokens.ts';
import { nothingWrongText } from '../attention/attention-labels.ts';

export const needsAttention = (summary: FarmSummary | undefined): boolean =>
  summary?.standing === 'attention';

/** What there is to say of a farm on which nothing is known to be wrong. */
export function calmFact({ standing, known }: FarmSummary): { condition: Condition; text: string } {
  if (standing === 'empty') return { condition: 'inhibited', text: 'No devices yet' };
  if (standing === 'well') return { condition: 'ok', text: nothingWrongText(known) };
  return { condition: 'inhibited', text: "How its devices are isn't known." };
}

const many = (count: number, is: string) => `${count} ${is}`;

/** The first question first: is anything wrong, and on how many farms. `standings`: of all the farms. */
export function overviewFact(standings: readonly FarmSummary['standing'][]): {
  condition: Condition;
  text: string;
} {
  const count = (wanted: FarmSummary['standing']) => standings.filter((one) => one === wanted).length;
  const [attention, well, empty] = [count('attention'), count('well'), count('empty')];
  const all = standings.length;
  if (attention > 0) {
    const text =
      all === 1
        ? 'Your farm needs attention.'
        : `${attention} of ${all} farms ${attention === 1 ? 'needs' : 'need'} attention.`;
    return { condition: 'caution', text };
  }
  if (well === all)
    return { condition: 'ok', text: all === 1 ? 'Your farm is fine.' : `All ${all} farms are fine.` };
  if (all === 1) {
    const text = empty === 1 ? 'Your farm has no devices yet.' : "How your farm's devices are isn't known.";
    return { condition: 'inhibited', text };
  }
  const parts = [
    well > 0 && many(well, well === 1 ? 'is fine' : 'are fine'),
    empty > 0 && many(empty, empty === 1 ? 'has no devices yet' : 'have no devices yet'),
    well + empty < all && `of ${all - well - empty} it isn't known`,
  ].filter((part) => part !== false);
  return { condition: well > 0 ? 'ok' : 'inhibited', text: `Of ${all} farms ${parts.join(', ')}.` };
}
