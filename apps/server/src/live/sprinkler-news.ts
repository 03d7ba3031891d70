import type { IpcStatus } from '@headrace/contract/groups';
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
  read(farmId: number, uids: ReadonlySet<string>): Promise<readonly IpcStatus[]>;
  send(farm: WatchedFarm, sprinklers: readonly IpcStatus[]): void;
  onError(error: unknown): void;
}

/** Reads and sends how sprinklers are after they said something, by farm, while somebody watches. */
export function createSprinklerNews({ isWatched, read, send, onError }: SprinklerNewsOptions) {
  /** Farms with a turn to come. */
  const gathering = new Map<number, { uids: Set<string>; timer: NodeJS.Timeout }>();
  let isStopped = false;

  function turnIn(ms: number, farm: WatchedFarm): NodeJS.Timeout {
    return setTimeout(() => void turn(farm), ms).unref();
  }

  async function turn(farm: WatchedFarm): Promise<void> {
    const gathered = gathering.get(farm.farmId);
    if (!gathered || gathered.uids.size === 0 || !isWatched(farm)) {
      gathering.delete(farm.farmId);
      return;
    }
    await tell(farm, takeSome(gathered.uids)).catch(onError);
    if (!isStopped) gathered.timer = turnIn(PAUSE_MS, farm);
  }

  async function tell(farm: WatchedFarm, uids: ReadonlySet<string>): Promise<void> {
    const sprinklers = await read(farm.farmId, uids);
    if (!isStopped) send(farm, sprinklers);
  }

  return {
    hear({ farmId, frame }: LiveEvent): void {
      if (isStopped || frame.type !== 'status_update' || frame.data.type !== 'ipc') return;
      const { farmUID, uid } = frame.data;
      const gathered = gathering.get(farmId);
      if (gathered) gathered.uids.add(uid);
      else gathering.set(farmId, { uids: new Set([uid]), timer: turnIn(GATHER_MS, { farmId, farmUID }) });
    },

    stop(): void {
      isStopped = true;
      for (const { timer } of gathering.values()) clearTimeout(timer);
      gathering.clear();
    },
  };
}

function takeSome(uids: Set<string>): Set<string> {
  const some = new Set([...uids].slice(0, SPRINKLERS_MAX));
  for (const uid of some) uids.delete(uid);
  return some;
}
