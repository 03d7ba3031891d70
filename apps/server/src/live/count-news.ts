import type { SprinklerCounts } from '@headrace/contract/groups';
import { isSend } from '@headrace/contract/rules/begins-or-ends-send';
import type { LiveEvent } from './live-bus.ts';
import type { WatchedFarm } from './sprinkler-news.ts';

/** How long reports of a farm's sprinklers are collected, ms. */
const GATHER_MS = 1000;
/** Least time between two counts of a farm, ms. */
const PAUSE_MS = 2000;
/** A watering may begin, and a unit fall silent, without a report: farms that are being watched are counted at least this often, ms. */
const CLOCK_MS = 60_000;

export interface CountNewsOptions {
  /** Farms for which a page on this server shows counts instead of the sprinklers, and whose user may see them. */
  watched(): readonly WatchedFarm[];
  isWatched(farm: WatchedFarm): boolean;
  read(farmId: number): Promise<SprinklerCounts | null>;
  send(farm: WatchedFarm, counts: SprinklerCounts): void;
  onError(error: unknown): void;
}

interface Turn {
  readonly farm: WatchedFarm;
  /** A sprinkler has reported since the last count. */
  isAsked: boolean;
  /** The counts that were sent last, as text; null: send the next ones in any case. */
  lastSent: string | null;
  /** Count without waiting. */
  isUrgent: boolean;
  /** Timer of the next count; null: a count is under way. */
  timer: NodeJS.Timeout | null;
}

/** While somebody watches a farm, counts its sprinklers after their reports and once a minute, and sends counts that have changed. */
export function createCountNews({ watched, isWatched, read, send, onError }: CountNewsOptions) {
  const turns = new Map<number, Turn>();
  let isStopped = false;

  const turnIn = (ms: number, turn: Turn) => setTimeout(() => void take(turn), ms).unref();

  async function take(turn: Turn): Promise<void> {
    const { farm } = turn;
    if (!turn.isAsked || !isWatched(farm)) {
      turns.delete(farm.farmId);
      return;
    }
    Object.assign(turn, { isAsked: false, isUrgent: false, timer: null });
    await tell(turn).catch(onError);
    if (!isStopped) turn.timer = turnIn(turn.isUrgent ? 0 : PAUSE_MS, turn);
  }

  async function tell(turn: Turn): Promise<void> {
    const counts = await read(turn.farm.farmId);
    const text = JSON.stringify(counts);
    if (isStopped || counts === null || text === turn.lastSent) return;
    turn.lastSent = text;
    send(turn.farm, counts);
  }

  function ask(farm: WatchedFarm): Turn {
    const known = turns.get(farm.farmId);
    if (known) {
      known.isAsked = true;
      return known;
    }
    const turn: Turn = { farm, isAsked: true, isUrgent: false, lastSent: null, timer: null };
    turn.timer = turnIn(GATHER_MS, turn);
    turns.set(farm.farmId, turn);
    return turn;
  }

  /** A person did something and waits to see it: count now instead of collecting reports. */
  function askNow(farm: WatchedFarm): void {
    const turn = ask(farm);
    turn.isUrgent = true;
    if (!turn.timer) return;
    clearTimeout(turn.timer);
    turn.timer = turnIn(0, turn);
  }

  const clock = setInterval(() => {
    // Told even if nothing changed: a page that has just come may show what was so before.
    for (const farm of watched()) ask(farm).lastSent = null;
  }, CLOCK_MS).unref();

  return {
    hear({ farmId, frame }: LiveEvent): void {
      if (!isStopped && frame.type === 'ipc_stops') return askNow({ farmId, farmUID: frame.data.farmUID });
      // While it goes on, too: a unit that fails reports nothing.
      if (!isStopped && frame.type === 'command_update' && isSend(frame.data))
        ask({ farmId, farmUID: frame.data.farmUID });
      if (isStopped || frame.type !== 'status_update' || frame.data.type !== 'ipc') return;
      ask({ farmId, farmUID: frame.data.farmUID });
    },

    stop(): void {
      isStopped = true;
      clearInterval(clock);
      for (const { timer } of turns.values()) if (timer) clearTimeout(timer);
      turns.clear();
    },
  };
}
