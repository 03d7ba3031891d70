import { barcooStation } from './barcoo-station.ts';
import type { FarmProfile } from './profile.ts';
import { rakaiaDowns } from './rakaia-downs.ts';
import { waihaoFlats } from './waihao-flats.ts';

/** The three farms of the demo, the same at every call. */
export function demoFarms(): FarmProfile[] {
  return [rakaiaDowns(), waihaoFlats(), barcooStation()];
}
