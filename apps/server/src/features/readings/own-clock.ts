import type { Pool } from 'pg';
import type { ClockDoubt, ClockLead } from './clock-doubt.ts';
import { type ClockWatch, createClockWatch } from './clock-watch.ts';
import { FUTURE_TOLERANCE_MS } from '@headrace/contract/limits';
import { AHEAD_KEY } from './dead-letter.ts';

export interface OwnClock {
  readonly watch: ClockWatch;
  /** Asks the database for its time, and holds what was refused too early; rejects when it doesn't answer. */
  check(): Promise<void>;
  /** What is wrong with our clock, in a sentence, or `warning: …` what may be; null when nothing is known to be. */
  fault(): string | null;
}

interface OwnClockOptions {
  pool: Pool;
  now: () => Date;
  log: { warn(details: object, message: string): void; error(details: object, message: string): void };
  /** Told once when it begins. */
  onDoubt?: ((sentence: string) => void) | undefined;
}

/** Watches our own clock, and holds what was refused for it before that was noticed. */
export function createOwnClock({ pool, now, log, onDoubt }: OwnClockOptions): OwnClock {
  const watch = createClockWatch(
    now,
    (doubt) => {
      if (!doubt) return log.warn({}, "this server's clock is taken to be right again");
      const sentence = sentenceOf(doubt);
      log.error({ ...doubt }, sentence);
      onDoubt?.(sentence);
    },
    tellLead,
  );
  function tellLead(lead: ClockLead): void {
    log.error({ ...lead }, leadSentence(lead));
    onDoubt?.(leadSentence(lead));
  }
  return {
    watch,
    async check() {
      const before = now().getTime();
      const { rows } = await pool.query<{ ms: number }>(
        'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
      );
      const ours = (before + now().getTime()) / 2;
      watch.heardDatabase((rows[0]?.ms ?? ours) - ours);
      if (watch.doubt()) await recall(pool, now());
      watch.lead();
    },
    fault() {
      const doubt = watch.doubt();
      if (doubt) return sentenceOf(doubt);
      const aheadMs = watch.databaseAheadMs();
      const lead = watch.lead();
      if (Math.abs(aheadMs) <= FUTURE_TOLERANCE_MS) return lead && `warning: ${leadSentence(lead)}`;
      return `the database's clock is ${spanOf(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} this server's: set both`;
    },
  };
}

const recallText = `update kept_message k set ready_at = $1
  from dead_letter_message m join dead_letter d on d.id = m.letter_id
  where m.farm_id = k.farm_id and m.message_id = k.id and d.reason_key = $2 and not d.is_held and k.ready_at is null
    and k.received_at > $3`;
const RECALLED_MS = 3_600_000;

/** What was refused within the last hour for being ahead is judged again with what is known now. */
async function recall(pool: Pool, now: Date): Promise<void> {
  await pool.query(recallText, [now, AHEAD_KEY, new Date(now.getTime() - RECALLED_MS)]);
}

function sentenceOf({ byMs, senders, farms, database }: ClockDoubt): string {
  const who = [
    ...(senders > 0 ? [`${senders} gateways or network servers of ${farms} farms`] : []),
    ...(database ? ['the database'] : []),
  ].join(' and ');
  return `this server's clock is about ${spanOf(byMs)} behind, say ${who}: set it; what they send meanwhile is kept and taken then`;
}

/** It is not known which of the two. */
const leadSentence = ({ byMs, senders, farms }: ClockLead) =>
  `this server's clock is about ${spanOf(byMs)} ahead, or the ${senders} gateways and network servers of ${farms} farms that were heard last all send what is as old: compare it with the time of day`;

function spanOf(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 72 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
