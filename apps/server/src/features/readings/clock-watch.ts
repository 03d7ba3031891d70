import { FUTURE_TOLERANCE_MS } from '@headrace/contract/limits';
import { type ClockDoubt, type ClockLead, type ClockReport, clockDoubt, clockLead } from './clock-doubt.ts';

export interface ClockWatch {
  /** A sender named a time that is so far ahead of our clock, ms; negative for one that lies behind us. */
  heard(sender: string, farmId: number, aheadMs: number): void;
  /** The same of the database, whose clock is another machine's where it runs on one. */
  heardDatabase(aheadMs: number): void;
  databaseAheadMs(): number;
  /** Null while our clock is taken to be right. */
  doubt(): ClockDoubt | null;
  /** That our clock is ahead has been said for a while; null otherwise. */
  lead(): ClockLead | null;
}

interface Heard extends ClockReport {
  readonly at: number;
}

/** What was heard longer ago says nothing of our clock now. */
const KEPT_MS = 3_600_000;
/** What is said after what was kept tells of older times: the newest word of a sender within this counts, ms. */
const NEWEST_OF_MS = 5 * 60_000;
/** Who has said what doesn't change from one reading to the next. */
const JUDGED_MS = 1000;
/** After an outage everybody is late, and no longer once what was kept has come: our clock stays ahead, ms. */
const LEAD_AFTER_MS = 15 * 60_000;
const MOST_SENDERS = 20_000;
const DATABASE = 'database';

/** Hears times of gateways, network servers and the database, and judges by them whether our own clock is right. */
export function createClockWatch(
  now: () => Date,
  onChange: (doubt: ClockDoubt | null) => void,
  onLead: (lead: ClockLead) => void = () => {},
): ClockWatch {
  const senders = new Map<string, Heard>();
  let databaseAheadMs = 0;
  let leading: { since: number; isReported: boolean } | null = null;
  let judged: { at: number; doubt: ClockDoubt | null } = { at: -Infinity, doubt: null };

  function hear(sender: string, farmId: number | null, aheadMs: number): void {
    const at = now().getTime();
    const before = senders.get(sender);
    const isOld = !before || at < before.at || at - before.at > NEWEST_OF_MS;
    if (!isOld && aheadMs <= before.aheadMs) return;
    if (before || senders.size < MOST_SENDERS) senders.set(sender, { farmId, aheadMs, at });
    // The first word that could be a sign is judged at once.
    if (aheadMs > FUTURE_TOLERANCE_MS && !(before && before.aheadMs > FUTURE_TOLERANCE_MS))
      judged.at = -Infinity;
  }

  function judge(at: number): ClockDoubt | null {
    for (const [sender, heard] of senders) if (Math.abs(at - heard.at) > KEPT_MS) senders.delete(sender);
    const doubt = clockDoubt([...senders.values()]);
    const isChanged = (doubt === null) !== (judged.doubt === null);
    judged = { at, doubt };
    if (isChanged) onChange(doubt);
    return doubt;
  }

  /** What is judged here is asked for each minute, and when somebody looks. */
  function lead(): ClockLead | null {
    const at = now().getTime();
    const found = clockLead([...senders.values()]);
    if (!found || (leading && at < leading.since)) leading = null;
    if (!found) return null;
    leading ??= { since: at, isReported: false };
    if (at - leading.since < LEAD_AFTER_MS) return null;
    if (!leading.isReported) onLead(found);
    leading.isReported = true;
    return found;
  }

  return {
    lead,
    heard: hear,
    heardDatabase(aheadMs) {
      // On our own machine it has our own clock: that it agrees says nothing.
      if (aheadMs > FUTURE_TOLERANCE_MS) hear(DATABASE, null, aheadMs);
      else if (senders.delete(DATABASE)) judged.at = -Infinity;
      databaseAheadMs = aheadMs;
    },
    databaseAheadMs: () => databaseAheadMs,
    doubt() {
      const at = now().getTime();
      return Math.abs(at - judged.at) < JUDGED_MS ? judged.doubt : judge(at);
    },
  };
}
