import type { IpcStatus } from '@headrace/contract/groups';
import { isSend } from '@headrace/contract/rules/begins-or-ends-send';
import type { LiveEvent } from './live-bus.ts';

/** What a farm's sprinklers say gathers for this long, ms. */
const GATHER_MS = 1000;
/** From one reading of a farm to its next, ms. */
const PAUSE_MS = 2000;
/** Sprinklers in one reading, some 500 KB of frames for each that watches; the others come with the next. */
const SPRINKLERS_MAX = 500;

export interface WatchedFarm {
  farmId: number;
  farmUID: string;
}

export interface SprinklerNewsOptions {
  /** Whether somebody here looks at the farm and may see its sprinklers. */
  isWatched(farm: WatchedFarm): boolean;
  /** Those that a schedule is being sent to. */
  sending(farmId: number): Promise<ReadonlySet<string>>;
  read(farmId: number, uids: ReadonlySet<string>): Promise<readonly IpcStatus[]>;
  send(farm: WatchedFarm, sprinklers: readonly IpcStatus[]): void;
  onError(error: unknown): void;
}

interface Gathered {
  /** Sprinklers of which there is something new. */
  readonly uids: Set<string>;
  /** A send went on: some that it was for may be over with it, and said nothing. */
  hasSendNews: boolean;
  timer: NodeJS.Timeout;
}

/**
 * Reads and sends how sprinklers are after they said something, or a send ended for them while it goes on for others, by farm, while
 * somebody watches.
 */
export function createSprinklerNews({ isWatched, sending, read, send, onError }: SprinklerNewsOptions) {
  /** Farms with a turn to come. */
  const gathering = new Map<number, Gathered>();
  /** Of watched farms with a send under way: who it was still for when that was last looked at. */
  const sends = new Map<number, ReadonlySet<string>>();
  let isStopped = false;

  function turnIn(ms: number, farm: WatchedFarm): NodeJS.Timeout {
    return setTimeout(() => void turn(farm), ms).unref();
  }

  async function turn(farm: WatchedFarm): Promise<void> {
    const { farmId } = farm;
    const gathered = gathering.get(farmId);
    const hasNews = gathered && (gathered.uids.size > 0 || gathered.hasSendNews);
    if (!hasNews || !isWatched(farm)) {
      gathering.delete(farmId);
      if (!isWatched(farm)) sends.delete(farmId);
      return;
    }
    await tell(farm, gathered).catch(onError);
    if (!isStopped) gathered.timer = turnIn(PAUSE_MS, farm);
  }

  async function tell(farm: WatchedFarm, gathered: Gathered): Promise<void> {
    if (gathered.hasSendNews) {
      gathered.hasSendNews = false;
      for (const uid of await endedSince(farm.farmId)) gathered.uids.add(uid);
    }
    if (gathered.uids.size === 0) return;
    const sprinklers = await read(farm.farmId, takeSome(gathered.uids));
    if (!isStopped) send(farm, sprinklers);
  }

  /** Once all sends are over, nobody: whoever looks at the farm asks for all of it then. */
  async function endedSince(farmId: number): Promise<string[]> {
    const before = sends.get(farmId);
    const now = await sending(farmId);
    if (now.size === 0) sends.delete(farmId);
    else sends.set(farmId, now);
    return before && now.size > 0 ? [...before].filter((uid) => !now.has(uid)) : [];
  }

  function gather({ farmId, farmUID }: WatchedFarm): Gathered {
    const known = gathering.get(farmId);
    if (known) return known;
    const timer = turnIn(GATHER_MS, { farmId, farmUID });
    const gathered = { uids: new Set<string>(), hasSendNews: false, timer };
    gathering.set(farmId, gathered);
    return gathered;
  }

  return {
    hear({ farmId, frame }: LiveEvent): void {
      if (isStopped) return;
      if (frame.type === 'command_update' && isSend(frame.data))
        gather({ farmId, farmUID: frame.data.farmUID }).hasSendNews = true;
      if (frame.type === 'status_update' && frame.data.type === 'ipc')
        gather({ farmId, farmUID: frame.data.farmUID }).uids.add(frame.data.uid);
    },

    stop(): void {
      isStopped = true;
      for (const { timer } of gathering.values()) clearTimeout(timer);
      gathering.clear();
      sends.clear();
    },
  };
}

function takeSome(uids: Set<string>): Set<string> {
  const some = new Set([...uids].slice(0, SPRINKLERS_MAX));
  for (const uid of some) uids.delete(uid);
  return some;
}
