import type { Db } from '../../db/client.ts';

export interface Lead {
  uid: string;
  name: string;
  email: string;
  countryCode: number;
  mobile: string;
  farmName: string;
  tanks: number;
  notes: string;
}

export type LeadRow = Lead & { at: Date };

/** People who asked for tank telemetry; they have no account yet. */
export function createTlmRepo(db: Db) {
  return {
    /** When this address asked after `since`. */
    async since(email: string, since: Date, trx: Db = db): Promise<Date[]> {
      const rows = await trx
        .selectFrom('tlm_lead')
        .select('at')
        .where('email', '=', email)
        .where('at', '>', since)
        .execute();
      return rows.map(({ at }) => at);
    },

    async add({ countryCode, farmName, ...lead }: Lead, at: Date, trx: Db): Promise<void> {
      await trx
        .insertInto('tlm_lead')
        .values({ ...lead, country_code: countryCode, farm_name: farmName, at })
        .execute();
    },

    /** The operator's support staff. */
    staff(): Promise<{ name: string; email: string }[]> {
      return db.selectFrom('account').select(['name', 'email']).where('is_staff', '=', true).execute();
    },

    /** Newest first. */
    async newest(limit: number): Promise<LeadRow[]> {
      const rows = await db.selectFrom('tlm_lead').selectAll().orderBy('id', 'desc').limit(limit).execute();
      return rows.map(({ id: _id, country_code: countryCode, farm_name: farmName, ...row }) => ({
        ...row,
        countryCode,
        farmName,
      }));
    },
  };
}
export type TlmRepo = ReturnType<typeof createTlmRepo>;
