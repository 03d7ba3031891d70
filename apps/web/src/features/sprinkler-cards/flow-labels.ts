import type { FlowCheckReply } from '@headrace/contract/flow';
import { numberText } from '../../ui/format.ts';

/** A whole number where a decimal says nothing. */
const lpsText = (lps: number) => numberText(lps, lps < 10 ? 1 : 0);

/** "Bore shows 38 L/s; 40 are open: agrees." */
export function flowCheckText({ state, meter, meterLps, openLps, mayBeLps, byLps }: FlowCheckReply): string {
  const open = mayBeLps > 0 ? `${lpsText(openLps)} to ${lpsText(openLps + mayBeLps)}` : lpsText(openLps);
  const shows = `${meter} shows ${lpsText(meterLps)} L/s; sprinklers of ${open} L/s are open`;
  switch (state) {
    case 'agrees':
      return `${shows}: agrees.`;
    case 'more':
      return `${shows}. ${lpsText(byLps)} L/s more than is open: a leak, or a valve that did not close.`;
    case 'less':
      return `${shows}. ${lpsText(byLps)} L/s less than they should give: a pump that is off, a closed or blocked main, or valves that did not open.`;
    default:
      return state satisfies never;
  }
}
