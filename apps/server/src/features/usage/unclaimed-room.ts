import { Gauge, type Registry } from 'prom-client';
import { USAGE_NOTICE_PERCENT } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';
import type { OperatorNotices } from '../../machine/operator-notices.ts';
import { type LetterBounds, letterBounds } from '../readings/letter-bounds.ts';
import { dayOf } from '../readings/usage-writer.ts';
import { FULL_PERCENT } from './full-percent.ts';
import { createUsageRepo } from './usage.repo.ts';

export interface UnclaimedRoom {
  /** As it does by itself each minute. */
  look(): Promise<void>;
  /** For /readyz: `ok`, or `warning: …`. */
  check(): string;
  metrics(registry: Registry): void;
  stop(): void;
}

interface Options {
  db: Db;
  now: () => Date;
  notices: OperatorNotices;
  bounds?: LetterBounds;
}

const EVERY_MS = 60_000;

/** Shares of the room, percent. */
interface Used {
  readonly today: number;
  readonly inAll: number;
}

/**
 * Dead letters of no known farm share one limited space, and no farm's people see them. So the operator is told when it fills up, as a
 * farm's people are for theirs.
 */
export function watchUnclaimedRoom({ db, now, notices, bounds = letterBounds }: Options): UnclaimedRoom {
  const repo = createUsageRepo(db);
  let used: Used = { today: 0, inAll: 0 };

  async function look(): Promise<void> {
    const day = await repo.unclaimed(dayOf(now()));
    const today = 100 * Math.max(day.messages / bounds.messagesADay, day.bytes / bounds.bytesADay);
    used = { today, inAll: (100 * (await repo.keptBytes(OF_NO_FARM))) / bounds.bytesPerFarm };
    const sentence = sentenceOf(used);
    if (sentence) await notices.tell(subjectOf(used), [`${sentence}.`, WHAT_TO_DO]);
  }

  const timer = setInterval(() => void look().catch(() => {}), EVERY_MS);
  timer.unref();
  return {
    look,
    check() {
      const sentence = sentenceOf(used);
      return sentence === null ? 'ok' : `warning: ${sentence}`;
    },
    metrics(registry) {
      registry.registerMetric(
        new Gauge({
          name: 'headrace_unclaimed_letters_ratio',
          help: 'Share of the room for messages that were not taken and are of no known farm: of the day, and in all',
          labelNames: ['of'],
          registers: [],
          collect() {
            this.set({ of: 'day' }, used.today / 100);
            this.set({ of: 'all' }, used.inAll / 100);
          },
        }),
      );
    },
    stop: () => clearInterval(timer),
  };
}

/** In farm_usage and kept_message. */
const OF_NO_FARM = 0;

const subjectOf = ({ today, inAll }: Used) =>
  Math.max(today, inAll) >= FULL_PERCENT
    ? 'no room is left for messages of unknown devices'
    : 'little room is left for messages of unknown devices';

const WHAT_TO_DO =
  'They are of no farm that is known, so nobody else can see them. "npm run admin -- dead-letters" lists them: add the devices to their farms, or take their keys away at the broker.';

const percentOf = (share: number) => `${Math.min(100, Math.floor(share))} %`;

/** Null: there is room. */
function sentenceOf({ today, inAll }: Used): string | null {
  if (Math.max(today, inAll) < USAGE_NOTICE_PERCENT) return null;
  const what = 'of the room for messages of no known farm';
  if (inAll >= today)
    return `${percentOf(inAll)} ${what} are used${inAll >= FULL_PERCENT ? ', and the oldest of them are dropped' : ''}`;
  const isFull = today >= FULL_PERCENT;
  return `${percentOf(today)} ${what} are used today${isFull ? ', and what comes now is counted and not kept' : ''}`;
}
