const MINUTE = 60_000;
/** A meter's word counts for so long, ms. */
const FRESH = 20 * MINUTE;
/** Flow and valves must have stayed as they are for so long, ms: a main fills, and a report takes its time. */
const STEADY = 10 * MINUTE;
/** Meter and sprinklers are taken to agree within both, whichever is more. */
const SHARE = 0.15;
const LPS = 2;
/** How long a valve that closed may be the one that did not, ms. */
const SUSPECT_FOR = 24 * 60 * MINUTE;
/** Suspects that are told of. */
export const SUSPECTS_MOST = 10;

/** What a meter showed at a moment, epoch ms and L/s. */
export interface MeterSample {
  readonly at: number;
  readonly lps: number;
}

/** What is known of the valves and of the meter that their water comes through. */
export interface FlowFacts {
  /** L/s of valves that said that they are open. */
  readonly openLps: number;
  /** L/s of those that may be open besides. */
  readonly mayBeLps: number;
  /** When the newest change of any valve was, or can have been, epoch ms; null: none is known. */
  readonly changedAt: number | null;
  /** The newest last. */
  readonly samples: readonly MeterSample[];
}

export const flowStates = ['agrees', 'more', 'less'] as const;
/** `more`: more flows than is open, a leak or a valve that did not close. `less`: less than the open ones should give. */
export interface FlowCheck {
  readonly state: (typeof flowStates)[number];
  readonly openLps: number;
  readonly mayBeLps: number;
  readonly meterLps: number;
  /** How much more or less, L/s; 0 where they agree. */
  readonly byLps: number;
  /** When the meter said so, epoch ms. */
  readonly at: number;
}

const tolerance = (lps: number) => Math.max(LPS, SHARE * lps);

/**
 * What flows through the meter against what is open. Null: nothing can be said, because the meter is silent, its flow or a valve has
 * changed within ten minutes, or nothing is open and nothing flows.
 */
export function flowCheck(facts: FlowFacts, now: number): FlowCheck | null {
  const meter = steadyFlow(facts.samples, now);
  if (meter === null) return null;
  const { openLps, mayBeLps, changedAt } = facts;
  if (changedAt !== null && changedAt > meter.since) return null;
  const most = openLps + mayBeLps;
  if (most === 0 && meter.lps <= LPS) return null;
  const told = { openLps, mayBeLps, meterLps: meter.lps, at: meter.at };
  if (meter.lps > most + tolerance(most)) return { ...told, state: 'more', byLps: meter.lps - most };
  if (meter.lps < openLps - tolerance(openLps)) return { ...told, state: 'less', byLps: openLps - meter.lps };
  return { ...told, state: 'agrees', byLps: 0 };
}

/** `since`: where the time begins of which this is the mean, epoch ms. */
interface SteadyFlow extends MeterSample {
  readonly since: number;
}

/**
 * The mean of its last ten minutes or more, if it kept to that; null: it did not, or it has said too little. A meter that tells its
 * total shows the mean since its word before. So the time begins at a word, with what was said after it: of a meter that speaks
 * each half an hour it is half an hour.
 */
function steadyFlow(samples: readonly MeterSample[], now: number): SteadyFlow | null {
  const newest = samples.at(-1);
  if (!newest || now - newest.at > FRESH || newest.at > now) return null;
  const begin = samples.findLastIndex(({ at }) => at <= newest.at - STEADY);
  const first = samples[begin];
  if (!first) return null;
  const within = samples.slice(begin + 1);
  const mean = within.reduce((sum, { lps }) => sum + lps, 0) / within.length;
  const isSteady = [first, ...within].every(({ lps }) => Math.abs(lps - mean) <= tolerance(mean));
  return isSteady ? { at: newest.at, lps: mean, since: first.at } : null;
}

/** A sprinkler whose valve isn't said to be open. */
export interface ClosedUnit {
  readonly id: string;
  /** When it was last known to move, or to be one of the two, epoch ms; null: it never said. */
  readonly movedAt: number | null;
  /** It said that it is closed; else nobody knows. */
  readonly isSaidClosed: boolean;
}

/** Who may be letting the water through that nothing open explains: whose valve moved last first, and of these who has not said that it closed. */
export function flowSuspects<U extends ClosedUnit>(units: readonly U[], now: number): U[] {
  return units
    .filter(({ movedAt }) => movedAt !== null && movedAt <= now && now - movedAt <= SUSPECT_FOR)
    .toSorted(
      (one, other) =>
        (other.movedAt ?? 0) - (one.movedAt ?? 0) ||
        Number(one.isSaidClosed) - Number(other.isSaidClosed) ||
        (one.id < other.id ? -1 : 1),
    )
    .slice(0, SUSPECTS_MOST);
}
