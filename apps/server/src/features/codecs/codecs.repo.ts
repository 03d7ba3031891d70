import { sql, type Selectable } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { CodecTable } from '../../db/schema/farms.ts';
import { codecWrites } from './codec-writes.repo.ts';
import { decodingReads } from './decoding.repo.ts';

export type CodecRow = Selectable<CodecTable>;

export const createCodecsRepo = (db: Db) => ({ ...codecReads(db), ...codecWrites(db), ...decodingReads(db) });
export type CodecsRepo = ReturnType<typeof createCodecsRepo>;

/** What a farm has of codecs, and who uses them. */
function codecReads(db: Db) {
  const versionsOf = (farmId: number, codecId: number) =>
    db.selectFrom('codec_version').where('farm_id', '=', farmId).where('codec_id', '=', codecId);

  return {
    list(farmId: number): Promise<CodecRow[]> {
      return db
        .selectFrom('codec')
        .selectAll()
        .where('farm_id', '=', farmId)
        .orderBy(sql`lower(name)`)
        .execute();
    },

    find(farmId: number, uid: string): Promise<CodecRow | undefined> {
      return db
        .selectFrom('codec')
        .selectAll()
        .where('farm_id', '=', farmId)
        .where('uid', '=', uid.toLowerCase())
        .executeTakeFirst();
    },

    async isNameTaken(farmId: number, name: string, exceptId = 0): Promise<boolean> {
      const taken = await db
        .selectFrom('codec')
        .select('id')
        .where('farm_id', '=', farmId)
        .where(sql`lower(name)`, '=', name.toLowerCase())
        .where('id', '<>', exceptId)
        .executeTakeFirst();
      return taken !== undefined;
    },

    /** Names of the sensors in use by codec: id of the farm's, name of a built-in one. */
    async users(farmId: number): Promise<Map<number | string, string[]>> {
      const rows = await db
        .selectFrom('device')
        .select(['name', 'codec_id', 'builtin_codec'])
        .where('farm_id', '=', farmId)
        .where('deleted_at', 'is', null)
        .where((eb) => eb.or([eb('codec_id', 'is not', null), eb('builtin_codec', 'is not', null)]))
        .orderBy(sql`lower(name)`)
        .execute();
      const users = new Map<number | string, string[]>();
      for (const { name, codec_id, builtin_codec } of rows) {
        const key = codec_id ?? builtin_codec ?? '';
        users.set(key, [...(users.get(key) ?? []), name]);
      }
      return users;
    },

    versions(farmId: number, codecId: number): Promise<{ version: number; created_at: Date }[]> {
      return versionsOf(farmId, codecId)
        .select(['version', 'created_at'])
        .orderBy('version', 'desc')
        .execute();
    },

    async script(farmId: number, codecId: number, version: number): Promise<string | undefined> {
      const row = await versionsOf(farmId, codecId)
        .select('script')
        .where('version', '=', version)
        .executeTakeFirst();
      return row?.script;
    },

    byId(farmId: number, codecId: number): Promise<Pick<CodecRow, 'uid' | 'name'> | undefined> {
      return db
        .selectFrom('codec')
        .select(['uid', 'name'])
        .where('farm_id', '=', farmId)
        .where('id', '=', codecId)
        .executeTakeFirst();
    },
  };
}
