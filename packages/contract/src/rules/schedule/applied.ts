import { graceMs } from '../valve-belief.ts';
import type { WateringRun } from '../watering-runs.ts';

const MINUTE = 60_000;

/** A valve's time open, whose it was, and what its sprinkler gave a second (L) and a minute (mm) then. */
export interface ReportedRun extends WateringRun {
  readonly unit: string;
  readonly lps: number;
  readonly mmPerMin: number;
  /** It watered a part of a circle; absent: not asked for. */
  readonly isPart?: boolean;
}

/** What is certain, what is believed, and what is possible. */
export interface Bounds {
  readonly least: number;
  readonly believed: number;
  readonly most: number;
}

export interface Applied {
  readonly minutes: Bounds;
  readonly mm: Bounds;
  readonly litres: Bounds;
}

export interface EndFacts {
  /** When the unit was to close by its programme or a command, epoch ms; null: nothing asked for it. */
  readonly endsAt: number | null;
  /** Seconds that its clock is fast. */
  readonly clockS: number | null;
  /** Epoch ms. */
  readonly now: number;
}

/**
 * Whether it is known when the valve closed. A unit reports when its valve moves, so what it says is the moment; but the first
 * "closed" long after it should have closed is a later report, and the one of the moment was lost. Its log and its answer to a
 * Valve Off name the moment, and of one that said "open" past its time it is known that it was late.
 */
export function isEndHeard(
  { closedAt, closedHow, openUntil }: WateringRun,
  { endsAt, clockS }: Pick<EndFacts, 'endsAt' | 'clockS'>,
): boolean {
  if (closedAt === null) return false;
  if (closedHow !== 'said' || endsAt === null) return true;
  const latest = endsAt + graceMs(clockS);
  return closedAt <= latest || openUntil > latest;
}

/** How long it watered, and how much that gave: equal bounds where its end was heard, else from the last word that says open. */
export function applied(run: ReportedRun, facts: EndFacts): Applied {
  const minutes = minutesOpen(run, facts);
  return { minutes, mm: scaled(minutes, run.mmPerMin), litres: scaled(minutes, run.lps * 60) };
}

function minutesOpen(run: WateringRun, facts: EndFacts): Bounds {
  const { openedAt, openUntil, closedAt } = run;
  const latest = Math.max(closedAt ?? facts.now, openUntil);
  const isHeard = isEndHeard(run, facts);
  const believed = isHeard ? latest : Math.min(Math.max(facts.endsAt ?? openUntil, openUntil), latest);
  const since = (at: number) => (at - openedAt) / MINUTE;
  return { least: since(isHeard ? latest : openUntil), believed: since(believed), most: since(latest) };
}

const scaled = ({ least, believed, most }: Bounds, by: number): Bounds => ({
  least: least * by,
  believed: believed * by,
  most: most * by,
});
