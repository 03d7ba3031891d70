import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyLive, type FarmState } from './state.ts';

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
      const state = text === null ? null : parse(text);
      if (state?.version !== 1 || state.seed !== seed) return null;
      return { ...state, live: { ...emptyLive(), ...state.live } };
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
