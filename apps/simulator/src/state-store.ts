import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnitState } from './models/sprinkler.ts';
import type { SensorStates } from './history.ts';

/** What a farm was at, as kept between runs. */
export type FarmState = {
  version: 1;
  seed: number;
  /** History still to be published; `null` when it is done. */
  backfill: BackfillState | null;
  live: LiveState;
};

export type BackfillState = {
  /** Start and end of the history. */
  from: number;
  end: number;
  /** Which kind of devices is under way, and how far it has come and been acknowledged. */
  stage: number;
  until: number;
  sensors: SensorStates;
};

export type LiveState = {
  /** How far model time runs ahead of the clock, ms: more than 0 once a speed above 1 has been used. */
  aheadMs: number;
  sensors: SensorStates;
  /** When each sensor last reported, by the clock. */
  reportedAt: Record<string, number>;
  units: Record<string, UnitState>;
  /** Model time up to which sprinklers, repeaters and ports have reported. */
  tickedAt: number;
  /** By gateway: the revision of its list of units, and relays set by hand. */
  listRevs: Record<string, number>;
  relays: Record<string, Record<string, boolean>>;
};

export type StateStore = {
  readonly load: (key: string) => Promise<FarmState | null>;
  readonly save: (key: string, state: FarmState) => Promise<void>;
};

/** One file per farm, replaced whole: a kill at any moment leaves the old one or the new one. */
export function createStateStore(directory: string, seed: number): StateStore {
  return {
    load: async (key) => {
      const text = await readFile(join(directory, `${key}.json`), 'utf8').catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return null;
          throw error;
        },
      );
      if (text === null) return null;
      const state = parse(text);
      return state?.version === 1 && state.seed === seed ? state : null;
    },
    save: async (key, state) => {
      await mkdir(directory, { recursive: true });
      const path = join(directory, `${key}.json`);
      await writeFile(`${path}.new`, JSON.stringify(state));
      await rename(`${path}.new`, path);
    },
  };
}

function parse(text: string): FarmState | null {
  try {
    return JSON.parse(text) as FarmState;
  } catch {
    return null;
  }
}
