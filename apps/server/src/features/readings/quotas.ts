import type { Pool } from 'pg';
import type { UsageLimits } from '@headrace/contract/limits';
import { numberArray } from '../../db/sql-arrays.ts';
import type { UsageCounter } from './usage-counter.ts';
import { dayOf } from './usage-writer.ts';

export interface Quotas {
  /** Reads what these farms and their owners' accounts wrote today, where that isn't known or not surely still true. */
  load(farmIds: Iterable<number>): Promise<void>;
  /** For one batch: what is taken counts once `settle` is called. */
  begin(): Tally;
}

export interface Tally {
  /** Null: the farm has room for so many readings more, and they count; else why not. */
  take(farmId: number, readings: number, isAboutWater: boolean): string | null;
  /** Readings that were not taken, by farm. */
  readonly refused: Map<number, number>;
  /** Readings that are stored now and were not before, by farm. */
  settle(stored: ReadonlyMap<number, number>): void;
}

/** What other servers wrote meanwhile is known after at most this long. */
const TRUSTED_MS = 60_000;
/** What says whether water runs has as much room again. */
const ABOUT_WATER = 2;

interface Account {
  readonly id: number;
  used: number;
}
interface Farm {
  used: number;
  readonly account: Account;
  readonly readAt: number;
}

interface FoundFarm {
  farmId: number;
  accountId: number;
  used: number;
  ofAll: number;
}

/** How many readings farms and accounts may still write today (UTC). One query a minute, else memory alone. */
export function createQuotas(options: {
  pool: Pool;
  now: () => Date;
  limits: UsageLimits;
  usage: Pick<UsageCounter, 'add' | 'beside'>;
}): Quotas {
  const { pool, now, limits, usage } = options;
  let day = '';
  const farms = new Map<number, Farm>();
  const accounts = new Map<number, Account>();

  async function read(missing: readonly number[]): Promise<FoundFarm[]> {
    const { rows } = await pool.query<FoundFarm>({
      name: 'quotas',
      text: quotasText,
      values: [numberArray(missing), day],
    });
    return rows;
  }

  function remember(found: readonly FoundFarm[], readAt: number): void {
    for (const { farmId, accountId, used, ofAll } of found) {
      const account = accounts.get(accountId) ?? { id: accountId, used: ofAll };
      account.used = ofAll;
      accounts.set(accountId, account);
      farms.set(farmId, { used, account, readAt });
    }
  }

  /** What is counted here and wasn't in the database yet when it was read. */
  function addUnwritten(found: readonly FoundFarm[], unwritten: ReadonlyMap<number, number>): void {
    const foundFarms = new Set(found.map(({ farmId }) => farmId));
    const foundAccounts = new Set(found.map(({ accountId }) => accountId));
    for (const [farmId, readings] of unwritten) {
      const farm = farms.get(farmId);
      if (!farm) continue;
      if (foundFarms.has(farmId)) farm.used += readings;
      if (foundAccounts.has(farm.account.id)) farm.account.used += readings;
    }
  }

  return {
    async load(farmIds) {
      const time = now();
      if (dayOf(time) !== day) {
        day = dayOf(time);
        farms.clear();
        accounts.clear();
      }
      const missing = [...new Set(farmIds)].filter((farmId) => {
        const farm = farms.get(farmId);
        return !farm || Math.abs(time.getTime() - farm.readAt) > TRUSTED_MS;
      });
      if (missing.length === 0) return;
      await usage.beside(
        day,
        () => read(missing),
        (found, unwritten) => {
          remember(found, time.getTime());
          addUnwritten(found, unwritten);
        },
      );
    },
    begin: () => createTally(farms, limits, usage),
  };
}

function createTally(
  farms: ReadonlyMap<number, Farm>,
  limits: UsageLimits,
  usage: Pick<UsageCounter, 'add'>,
): Tally {
  const taken = new Map<number, number>();
  const takenOf = new Map<Account, number>();
  const refused = new Map<number, number>();
  return {
    take(farmId, readings, isAboutWater) {
      const farm = farms.get(farmId);
      if (!farm) return null;
      const { account } = farm;
      const room = isAboutWater ? ABOUT_WATER : 1;
      const ofFarm = (taken.get(farmId) ?? 0) + readings;
      const ofAccount = (takenOf.get(account) ?? 0) + readings;
      const fault =
        farm.used + ofFarm > limits.farmReadingsADay * room
          ? `over the limit of ${limits.farmReadingsADay} readings a day for a farm`
          : account.used + ofAccount > limits.accountReadingsADay * room
            ? `over the limit of ${limits.accountReadingsADay} readings a day for all farms of an account`
            : null;
      if (fault) refused.set(farmId, (refused.get(farmId) ?? 0) + readings);
      else {
        taken.set(farmId, ofFarm);
        takenOf.set(account, ofAccount);
      }
      return fault;
    },
    refused,
    settle(stored) {
      usage.add(stored, refused);
      for (const [farmId, readings] of stored) {
        const farm = farms.get(farmId);
        if (!farm) continue;
        farm.used += readings;
        farm.account.used += readings;
      }
    },
  };
}

const quotasText = `select f.id as "farmId", f.owner_id as "accountId", coalesce(u.readings, 0)::float8 as used,
    (select coalesce(sum(o.readings), 0)::float8 from farm of_owner join farm_usage o on o.farm_id = of_owner.id and o.day = $2
      where of_owner.owner_id = f.owner_id) as "ofAll"
  from farm f left join farm_usage u on u.farm_id = f.id and u.day = $2
  where f.id = any($1::int[])`;
