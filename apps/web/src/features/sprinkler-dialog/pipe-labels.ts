import type { Pipe, pipesOfSprinkler } from '@headrace/contract/flow';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { numberText, usefulDigits } from '../../ui/format.ts';

/** What else runs on one pipe, and what follows for it if this sprinkler opens too. */
export interface PipeLabel {
  text: string;
  /** It would be asked for more than it gives, or may be. */
  isOver: boolean;
}

type Reply = ReplyOf<typeof pipesOfSprinkler>;
/** A time on the farm's clock. */
type Write = (at: string) => string;

/**
 * Each pipe by itself, with what is planned to begin on it, in sentences of their own; the farm as a whole only where its limit is known,
 * or there is no other.
 */
export function pipeLabels({ pipes, lps: ownLps, until }: Reply, write: Write): PipeLabel[] {
  const shown = pipes.filter(({ kind, maxLps }) => kind !== 'farm' || maxLps !== null || pipes.length === 1);
  const isQuiet = shown.every(({ planned }) => planned.starts === 0 && planned.unknown === 0);
  const labels = shown.flatMap((pipe) => {
    const { text, isOver } = limitOf(pipe, ownLps, pipe);
    const now = { text: `${placeOf(pipe)}, ${openText(pipe)}.${text}`, isOver };
    return isQuiet ? [now] : [now, aheadOf(pipe, ownLps, until, write)];
  });
  if (!isQuiet || shown.length === 0) return labels;
  return [...labels, { text: `Nothing else is planned to start there by ${write(until)}.`, isOver: false }];
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
const others = (count: number) => (count === 1 ? '1 other' : `${numberText(count)} others`);

function openText({ open, openLps, mayBe, mayBeLps, unset }: Pipe): string {
  if (open + mayBe === 0) return 'nothing else is open now';
  if (open === 0) return `${others(mayBe)} may be open now${unset > 0 ? '' : `: up to ${lps(mayBeLps)} L/s`}`;
  const flow = lpsRange(openLps, openLps + mayBeLps, unset);
  const surely = `${others(open)} ${open === 1 ? 'is' : 'are'} open now`;
  return `${surely}${mayBe > 0 ? ` and ${numberText(mayBe)} may be` : ''}: ${flow}`;
}

/** Planned, and no more than that: it may be stopped or sent anew, and a clock may be off. */
function aheadOf({ planned, ...pipe }: Pipe, ownLps: number, until: string, write: Write): PipeLabel {
  const unknown = planned.unknown === 0 ? '' : ` ${whoIsUnknown(planned.unknown)}.`;
  const by = write(until);
  if (planned.starts === 0 || planned.firstAt === null)
    return { text: `Planned there: none starts by ${by}.${unknown}`, isOver: false };
  const { starts, unsure } = planned;
  const first = write(planned.firstAt);
  const when = starts === 1 ? `at ${first}` : `by ${by}, the first at ${first}`;
  const doubt =
    unsure === 0 ? '' : unsure === starts ? ', not surely' : `, ${numberText(unsure)} of them not surely`;
  const flows = { openLps: planned.lps, mayBeLps: planned.mayBeLps, unset: pipe.unset + planned.unset };
  const high = planned.lps + planned.mayBeLps;
  // Of flows that aren't set nothing can be said.
  const most = high === 0 ? '' : `: then ${lpsRange(planned.lps, high, flows.unset)} at a time`;
  const limit = limitOf(pipe, ownLps, flows);
  const text = `Planned there: ${others(starts)} ${starts === 1 ? 'starts' : 'start'} ${when}${doubt}${most}.`;
  return { text: `${text}${limit.text}${unknown}`, isOver: limit.isOver };
}

const whoIsUnknown = (count: number) =>
  `When ${others(count)} ${count === 1 ? 'waters' : 'water'} is not known`;

type Flows = Pick<Pipe, 'openLps' | 'mayBeLps' | 'unset'>;

function limitOf({ maxLps }: Pick<Pipe, 'maxLps'>, ownLps: number, flows: Flows): PipeLabel {
  const { openLps, mayBeLps, unset } = flows;
  if (maxLps === null) return { text: '', isOver: false };
  const limit = `${lps(maxLps)} L/s that it gives`;
  if (ownLps === 0) return { text: ` It gives ${lps(maxLps)} L/s.`, isOver: openLps > maxLps };
  const [low, high] = [openLps + ownLps, openLps + mayBeLps + ownLps];
  const withThis = ` With this one ${lpsRange(low, high, unset)}`;
  if (low > maxLps) return { text: `${withThis}: more than the ${limit}.`, isOver: true };
  if (high > maxLps) return { text: `${withThis}: that may be more than the ${limit}.`, isOver: true };
  return { text: `${withThis} of the ${limit}.`, isOver: false };
}
