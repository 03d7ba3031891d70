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
  told: string | null;
  timer: NodeJS.Timeout;
}

/** Counts a farm's sprinklers after they said something and by the minute, while somebody looks, and tells what changed. */
export function createCountNews({ watched, isWatched, read, send, onError }: CountNewsOptions) {
  const turns = new Map<number, Turn>();
  let isStopped = false;

  async function take(turn: Turn): Promise<void> {
    const { farm } = turn;
    if (!turn.isAsked || !isWatched(farm)) {
      turns.delete(farm.farmId);
      return;
    }
    turn.isAsked = false;
    await tell(turn).catch(onError);
    if (!isStopped) turn.timer = setTimeout(() => void take(turn), PAUSE_MS).unref();
  }

  async function tell(turn: Turn): Promise<void> {
    const counts = await read(turn.farm.farmId);
    const text = JSON.stringify(counts);
    if (isStopped || counts === null || text === turn.told) return;
    turn.told = text;
    send(turn.farm, counts);
  }

  function ask(farm: WatchedFarm): Turn {
    const known = turns.get(farm.farmId);
    if (known) {
      known.isAsked = true;
      return known;
    }
    const timer = setTimeout(() => void take(turn), GATHER_MS).unref();
    const turn: Turn = { farm, isAsked: true, told: null, timer };
    turns.set(farm.farmId, turn);
    return turn;
  }

  const clock = setInterval(() => {
    // Told even if nothing changed: a page that has just come may show what was so before.
    for (const farm of watched()) ask(farm).told = null;
  }, CLOCK_MS).unref();

  return {
    hear({ farmId, frame }: LiveEvent): void {
      if (isStopped || frame.type !== 'status_update' || frame.data.type !== 'ipc') return;
      ask({ farmId, farmUID: frame.data.farmUID });
    },

    stop(): void {
      isStopped = true;
      clearInterval(clock);
      for (const { timer } of turns.values()) clearTimeout(timer);
      turns.clear();
    },
  };
}
