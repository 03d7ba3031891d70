import type { Pipe } from '@headrace/contract/flow';
import { numberText, usefulDigits } from '../../ui/format.ts';

/** What else runs on one pipe, and what follows for it if this sprinkler opens too. */
export interface PipeLabel {
  text: string;
  /** It would be asked for more than it gives, or may be. */
  isOver: boolean;
}

/** Each pipe by itself; the farm as a whole only where its limit is known, or there is no other. */
export function pipeLabels(pipes: readonly Pipe[], ownLps: number): PipeLabel[] {
  const shown = pipes.filter(({ kind, maxLps }) => kind !== 'farm' || maxLps !== null || pipes.length === 1);
  return shown.map((pipe) => {
    const { text, isOver } = limitOf(pipe, ownLps);
    return { text: `${placeOf(pipe)}, ${openText(pipe)}.${text}`, isOver };
  });
}

function placeOf({ kind, name }: Pipe): string {
  switch (kind) {
    case 'line':
      return `On its line (${name})`;
    case 'main':
      return `On the main (${name})`;
    case 'farm':
      return 'On the whole farm';
    default:
      return kind satisfies never;
  }
}

const lps = (value: number) => numberText(value, usefulDigits(value, 1));
/** Flows that aren't set are missing in it. */
const lpsRange = (low: number, high: number, unset: number) =>
  `${unset > 0 ? 'at least ' : ''}${low === high ? lps(low) : `${lps(low)} to ${lps(high)}`} L/s`;

function openText({ open, openLps, mayBe, mayBeLps, unset }: Pipe): string {
  if (open + mayBe === 0) return 'nothing else is open now';
  const others = (count: number) => (count === 1 ? '1 other' : `${numberText(count)} others`);
  if (open === 0) return `${others(mayBe)} may be open now${unset > 0 ? '' : `: up to ${lps(mayBeLps)} L/s`}`;
  const flow = lpsRange(openLps, openLps + mayBeLps, unset);
  const surely = `${others(open)} ${open === 1 ? 'is' : 'are'} open now`;
  return `${surely}${mayBe > 0 ? ` and ${numberText(mayBe)} may be` : ''}: ${flow}`;
}

function limitOf({ maxLps, openLps, mayBeLps, unset }: Pipe, ownLps: number): PipeLabel {
  if (maxLps === null) return { text: '', isOver: false };
  const limit = `${lps(maxLps)} L/s that it gives`;
  if (ownLps === 0) return { text: ` It gives ${lps(maxLps)} L/s.`, isOver: openLps > maxLps };
  const [low, high] = [openLps + ownLps, openLps + mayBeLps + ownLps];
  const withThis = ` With this one ${lpsRange(low, high, unset)}`;
  if (low > maxLps) return { text: `${withThis}: more than the ${limit}.`, isOver: true };
  if (high > maxLps) return { text: `${withThis}: that may be more than the ${limit}.`, isOver: true };
  return { text: `${withThis} of the ${limit}.`, isOver: false };
}
