import type { SprinklerCounts } from '@headrace/contract/groups';
import type { LiveEvent } from './live-bus.ts';
import type { WatchedFarm } from './sprinkler-news.ts';

/** What a farm's sprinklers say gathers for this long, ms. */
const GATHER_MS = 1000;
/** From one count of a farm to its next, ms. */
const PAUSE_MS = 2000;
/** A watering begins and a unit falls silent without a word: farms that are looked at are counted this often all the same, ms. */
const CLOCK_MS = 60_000;

export interface CountNewsOptions {
  /** Farms that somebody here looks at who shows counts and not the sprinklers themselves, and may. */
  watched(): readonly WatchedFarm[];
  isWatched(farm: WatchedFarm): boolean;
  read(farmId: number): Promise<SprinklerCounts | null>;
  send(farm: WatchedFarm, counts: SprinklerCounts): void;
  onError(error: unknown): void;
}

interface Turn {
  readonly farm: WatchedFarm;
  /** Something was said since the last count. */
  isAsked: boolean;
  /** What was told last, as text; null: tell it in any case. */
  lastSent: string | null;
  /** The next count comes at once. */
  isUrgent: boolean;
  /** Of the next count; null: one is under way. */
  timer: NodeJS.Timeout | null;
}

/** Counts a farm's sprinklers after they said something and by the minute, while somebody looks, and tells what changed. */
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

  /** A person did it and looks for it: what was said gathers no longer. */
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
