import type { Timezone } from '@headrace/contract/farms';
import type { MapUnit } from '@headrace/contract/map-units';
import { exactTime, minuteText } from '../../ui/format.ts';

type Zone = Timezone | null | undefined;
type Cycle = Pick<MapUnit, 'activeAt' | 'cycleLen'>;
type Valve = Pick<MapUnit, 'belief' | 'valveOpen' | 'valveAt' | 'isInhibited'> & Cycle;
type Belief = NonNullable<MapUnit['belief']>;

/** Near times go without their day, ms. */
const NEAR_MS = 12 * 3_600_000;

/** "05:12" of a time near to `now`, else with its day. Both in epoch ms. */
export function timeText(at: number, zone: Zone, now: number): string {
  return zone && Math.abs(at - now) < NEAR_MS ? minuteText(at, zone) : exactTime(at, zone);
}

/** What its schedule has for it: "Waters until 21:10"; null: nothing. */
export function plannedLabel({ activeAt }: Pick<Cycle, 'activeAt'>, zone: Zone, now: number): string | null {
  const run = activeAt.find(({ activeNow }) => activeNow) ?? activeAt[0];
  if (!run) return null;
  return run.activeNow
    ? `Waters until ${timeText(run.endAt, zone, now)}`
    : `Waters next at ${timeText(run.startAt, zone, now)}`;
}

/**
 * What the valve is taken to do, in one sentence that says what of it was said and what is concluded; after it, where it is closed,
 * when its schedule opens it next.
 */
export function nowSentence(unit: Valve, zone: Zone, now: number): string {
  const { belief, isInhibited } = unit;
  const isOpen = belief !== null && belief.state !== 'closed' && belief.state !== 'unknown';
  const next = isOpen || isInhibited ? null : plannedLabel(unit, zone, now);
  const sentence = belief
    ? beliefSentence(unit, belief, (at) => timeText(at, zone, now))
    : reportedText(unit, zone, now);
  if (!next) return sentence;
  // Of one that may do anything by now the plan is told as no more than that.
  return belief?.state === 'unknown'
    ? `${sentence} By its schedule: ${lowerFirst(next)}.`
    : `${sentence} ${next}.`;
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function reportedText({ valveOpen, valveAt }: Valve, zone: Zone, now: number): string {
  if (valveOpen === null) return 'It has said nothing of its valve.';
  return `${valveOpen ? 'Open' : 'Closed'}, as it said at ${timeText(valveAt, zone, now)}.`;
}

type Write = (at: number) => string;

function beliefSentence(unit: Valve, belief: Belief, write: Write): string {
  const { state, since, until, basis } = belief;
  const sinceText = since === null ? '' : write(since);
  const untilText = until === null ? '' : write(until);
  switch (state) {
    case 'open':
      return openSentence(unit, belief, write);
    case 'mayBeOpen':
      return `It should be watering until about ${untilText} by its schedule${dayText(unit)}. It has not said so.`;
    case 'openOverdue':
      return `It should have closed at ${untilText}. It said open last at ${sinceText}, and has not said that it closed.`;
    case 'closed':
      return basis === 'answered'
        ? `Closed, as it answered a Valve Off at ${sinceText}.`
        : 'Closed, as far as is known: nothing asks for it to be open.';
    case 'unknown':
      if (since === null) return 'Not known: it was never heard.';
      return basis === 'none'
        ? `Not known: heard last at ${sinceText}.`
        : `Not known: it may have been opened since it was heard at ${sinceText}.`;
    default:
      return state satisfies never;
  }
}

const openWithoutEnd = {
  foreign: 'by a schedule that was not sent from here',
  none: 'though neither a schedule nor a command asks for it',
  unknown: 'and what asks for it is not known',
  // Their ends are always known.
  schedule: 'by its schedule',
  command: 'by a Valve On',
} as const satisfies Record<Belief['cause'], string>;

function openSentence(unit: Cycle, { since, until, basis, cause }: Belief, write: Write): string {
  const label = basis === 'answered' ? 'it answered so' : 'it said so';
  const from = since === null ? '' : ` since ${write(since)} (${label})`;
  if (until === null) return `Open${from}, ${openWithoutEnd[cause]}.`;
  const by = cause === 'command' ? 'by a Valve On' : `by its schedule${dayText(unit)}`;
  return `Watering${from}, until about ${write(until)}: ${by}.`;
}

/** ", day 1 of 2" of the watering under way; nothing of a schedule that is the same each day. */
function dayText({ activeAt, cycleLen }: Cycle): string {
  const run = activeAt.find(({ activeNow }) => activeNow);
  return run && cycleLen > 1 ? `, day ${run.cycle} of ${cycleLen}` : '';
}
