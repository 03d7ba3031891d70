import type { Db } from '../../db/client.ts';
import { groupBy } from '../../group-by.ts';
import { type BehindRow, type Behinds, mayWait, readBehind, readBehindsOf } from './behind.ts';

/** Units that wait on a farm. More are thousands of rows to compare, so whoever looks within a second shares the answer. */
const MANY = 500;
const KEPT_MS = 1000;

interface Kept {
  readonly behinds: Promise<Behinds>;
  /** The newest command that was asked of. */
  readonly newest: number;
  /** No end as long as it is being asked. */
  until: number;
}

/** For which other commands commands wait. */
export type BehindsOf = (rows: readonly BehindRow[]) => Promise<Behinds>;

export interface KeptBehinds {
  readonly atOnce: BehindsOf;
  /** As it was within the last second, where many wait. */
  readonly lately: BehindsOf;
}

/** `ticks` goes on whatever the clock does, ms. */
export function createBehinds(db: Db, now: () => Date, ticks = () => performance.now()): KeptBehinds {
  const kept = new Map<number, Kept>();

  function ask(farmId: number, newest: number): Kept {
    for (const [id, { until }] of kept) if (until <= ticks()) kept.delete(id);
    const one: Kept = { behinds: readBehindsOf(db, farmId, now()), newest, until: Infinity };
    const end = (keptMs: number) => () => void (one.until = ticks() + keptMs);
    void one.behinds.then(end(KEPT_MS), end(0));
    kept.set(farmId, one);
    return one;
  }

  /** A command that came after the answer is not in it. */
  function known(farmId: number, newest: number): Kept | null {
    const one = kept.get(farmId);
    return one && one.newest >= newest && one.until > ticks() ? one : null;
  }

  async function shared(rows: readonly BehindRow[]): Promise<Behinds> {
    const newest = Math.max(...rows.map(({ id }) => id));
    const farmId = rows[0]?.farmId ?? 0;
    const behinds = await (known(farmId, newest) ?? ask(farmId, newest)).behinds;
    return new Map([...behinds].filter(([commandId]) => rows.some(({ id }) => id === commandId)));
  }

  const atOnce: BehindsOf = (rows) => readBehind(db, rows, now());
  return {
    atOnce,
    async lately(rows) {
      const farms = groupBy(rows.filter(mayWait), ({ farmId }) => farmId);
      const few = farms.filter((ofFarm) => queuedOf(ofFarm) <= MANY).flat();
      const many = farms.filter((ofFarm) => queuedOf(ofFarm) > MANY);
      const found = await Promise.all([atOnce(few), ...many.map(shared)]);
      return new Map(found.flatMap((behinds) => [...behinds]));
    },
  };
}

const queuedOf = (rows: readonly BehindRow[]) =>
  rows.reduce((sum, { counts }) => sum + (counts.queued ?? 0), 0);
