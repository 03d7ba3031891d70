import type { Corrector, Redecoded } from './decode-anew.ts';
import type { FarmWork } from './farm-work.ts';
import type { IngestLog } from './ingest-options.ts';

/** So many corrections in one transaction. */
const CORRECTIONS = 50;

export interface CorrectionsOptions {
  log: IngestLog;
  /** Waits after a fault. */
  rest(): Promise<void>;
  /** So many of a farm's are no longer at hand: they are stored, or wait where they were stored before. */
  stored(farm: FarmWork, count: number): void;
}

/** Collects what a farm's uplinks say once they are decoded anew, and stores it many at a time. */
export function createCorrections(corrector: Corrector, { log, rest, stored }: CorrectionsOptions) {
  async function store(farm: FarmWork): Promise<void> {
    const batch = farm.again.splice(0);
    try {
      await corrector(batch);
    } catch (error) {
      log.warn({ err: error, farmId: farm.farmId }, 'what was decoded anew is not stored yet');
      await rest();
    }
    stored(farm, batch.length);
  }

  return {
    store,
    add(farm: FarmWork, one: Redecoded): void {
      farm.again.push(one);
      if (farm.again.length >= CORRECTIONS) void store(farm);
    },
  };
}
