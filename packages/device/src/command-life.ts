import { commandInfo } from './commands.ts';
import { isInhibit, type Lane, laneOf, lanes } from './lanes.ts';

const minute = 60_000;

/** Of a gateway that has no `commsMaxTTL`. */
const usualLifeMs = 10 * minute;
/** A gateway's clock may be ahead of the server's, so that less would be over before it began. */
const shortestLifeMs = minute;
/** What was asked longer ago is no longer what is wanted. */
const longestLifeMs = 60 * minute;
/** Time for one unit's answer. */
const unitLifeMs = 3 * minute;
/** A send to many units that takes longer has failed. */
const longestSendMs = 48 * 60 * minute;
/** An Off at least; an opening that it is for may take longer. */
const offLifeMs = 60 * minute;
/** An Inhibit ends with an Uninhibit and not by time: longer than any season. */
const inhibitLifeMs = 365 * 24 * 60 * minute;

/** Water begins to flow within so many minutes of the tap, or not at all; a person may choose up to an hour. */
export const BEGIN_WITHIN_MIN = 10;
export const BEGIN_WITHIN_MAX_MIN = 60;

/** A valve that its gateway closes stays open while that one has no power: it is opened for no longer, min. */
export const OPEN_BY_GATEWAY_MAX_MIN = 60;

export interface LifeOptions {
  /** Where the payload decides it, as of ToggleIO. */
  readonly lane?: Lane;
  /** Units that a command for several still has to reach. */
  readonly unitsToDo?: number;
  /** `commsMaxTTL` of each gateway it goes through, s; null of those that have said none. */
  readonly maxTtls?: readonly (number | null)[];
  /** Of what starts water: chosen by hand, min, up to an hour. */
  readonly beginWithinMin?: number | undefined;
}

/**
 * How long a command may still be carried out, ms. What stops water lives an hour at least, an Inhibit until it is taken back;
 * what starts water 10 minutes at most, unless a person chose longer, however many units it is for. The others live for the
 * shortest `commsMaxTTL` of their gateways, from 1 minute to an hour, 10 minutes where there is none; for several units at least
 * 3 minutes for each, and two days at most.
 */
export function commandLifetimeMs(
  type: number,
  { lane = laneOf(type), unitsToDo = 1, maxTtls = [null], beginWithinMin }: LifeOptions = {},
): number {
  if (lane === lanes.stop) return isInhibit(type) ? inhibitLifeMs : offLifeMs;
  if (lane === lanes.start && beginWithinMin !== undefined)
    return Math.min(beginWithinMin, BEGIN_WITHIN_MAX_MIN) * minute;
  const wanted = Math.min(...maxTtls.map((ttl) => (ttl ? ttl * 1000 : usualLifeMs)));
  const longest = lane === lanes.start ? BEGIN_WITHIN_MIN * minute : longestLifeMs;
  const life = Math.max(shortestLifeMs, Math.min(wanted, longest));
  const isForMany = lane !== lanes.start && commandInfo(type)?.target === 'units';
  return isForMany ? Math.max(life, Math.min(unitLifeMs * unitsToDo, longestSendMs)) : life;
}

/** How long a message of a send to many units may still be begun, ms: it names so many of them. */
export const windowLifetimeMs = (units: number): number => Math.max(usualLifeMs, unitLifeMs * units);
