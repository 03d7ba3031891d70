import type { RecordKind } from '@headrace/contract/live';

/** Changes of a farm's records gather for this long, ms. */
const GATHER_MS = 500;
/** From one telling of a farm to its next, ms: whoever edits hundreds makes pages ask no more often. */
const PAUSE_MS = 1500;

/** By kind the pages that changed records of it; undefined stands for programs and pages that didn't say who they are. */
export type ChangedRecords = ReadonlyMap<RecordKind, ReadonlySet<string | undefined>>;

export interface RecordChange {
  farmId: number;
  record: RecordKind;
  page?: string | undefined;
}

/** Gathers by farm which records changed, and tells it at once for all. */
export function createRecordNews(tell: (farmId: number, changed: ChangedRecords) => void) {
  /** Farms with a turn to come. */
  const gathering = new Map<
    number,
    { changed: Map<RecordKind, Set<string | undefined>>; timer: NodeJS.Timeout }
  >();
  const turnIn = (ms: number, farmId: number) => setTimeout(() => turn(farmId), ms).unref();

  function turn(farmId: number): void {
    const gathered = gathering.get(farmId);
    if (!gathered || gathered.changed.size === 0) {
      gathering.delete(farmId);
      return;
    }
    tell(farmId, gathered.changed);
    gathering.set(farmId, { changed: new Map(), timer: turnIn(PAUSE_MS, farmId) });
  }

  return {
    hear({ farmId, record, page }: RecordChange): void {
      const gathered = gathering.get(farmId) ?? { changed: new Map(), timer: turnIn(GATHER_MS, farmId) };
      gathering.set(farmId, gathered);
      const pages = gathered.changed.get(record) ?? new Set();
      gathered.changed.set(record, pages.add(page));
    },

    stop(): void {
      for (const { timer } of gathering.values()) clearTimeout(timer);
      gathering.clear();
    },
  };
}
