import { sql, type Selectable } from 'kysely';
import { CODEC_VERSIONS } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';
import type { CodecTable } from '../../db/schema.ts';

export type CodecRow = Selectable<CodecTable>;
export interface Decoder {
  builtinCodec: string | null;
  codecId: number | null;
  version: number | null;
}

export function createCodecsRepo(db: Db) {
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

    add(farmId: number, codec: { uid: string; name: string; script: string }, now: Date): Promise<void> {
      return db.transaction().execute(async (trx) => {
        const { id } = await trx
          .insertInto('codec')
          .values({
            farm_id: farmId,
            uid: codec.uid,
            name: codec.name,
            version: 1,
            off_at: null,
            off_reason: null,
            created_at: now,
            updated_at: now,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await trx
          .insertInto('codec_version')
          .values({ farm_id: farmId, codec_id: id, version: 1, script: codec.script, created_at: now })
          .execute();
      });
    },

    /** Makes a new version, or switches on, where asked; returns the newest version. */
    update(
      farmId: number,
      codecId: number,
      change: { name: string | undefined; script: string | undefined; enable: boolean },
      now: Date,
    ): Promise<number> {
      const { name, script, enable } = change;
      return db.transaction().execute(async (trx) => {
        const { version } = await trx
          .updateTable('codec')
          .set({
            updated_at: now,
            ...(name !== undefined && { name }),
            ...(script !== undefined && { version: sql<number>`version + 1` }),
            ...((enable || script !== undefined) && { off_at: null, off_reason: null }),
          })
          .where('farm_id', '=', farmId)
          .where('id', '=', codecId)
          .returning('version')
          .executeTakeFirstOrThrow();
        if (script === undefined) return version;
        await trx
          .insertInto('codec_version')
          .values({ farm_id: farmId, codec_id: codecId, version, script, created_at: now })
          .execute();
        await sql`delete from codec_version v where farm_id = ${farmId} and codec_id = ${codecId}
          and version <= ${version - CODEC_VERSIONS} and not exists (
            select from device d where d.farm_id = v.farm_id and d.codec_id = v.codec_id and d.codec_version = v.version
          )`.execute(trx);
        return version;
      });
    },

    /** False when a sensor has begun to use it meanwhile. */
    async remove(farmId: number, codecId: number): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('codec')
        .where('farm_id', '=', farmId)
        .where('id', '=', codecId)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('device')
                .select('device.id')
                .where('device.farm_id', '=', farmId)
                .where('device.codec_id', '=', codecId)
                .where('device.deleted_at', 'is', null),
            ),
          ),
        )
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Unless a newer version has come meanwhile. */
    async switchOff(
      { farmId, codecId, version }: { farmId: number; codecId: number; version: number },
      reason: string,
      now: Date,
    ): Promise<void> {
      await sql`update codec c set off_at = ${now}, off_reason = ${reason}
        where farm_id = ${farmId} and id = ${codecId} and off_at is null and (version = ${version} or exists (
          select from device d where d.farm_id = c.farm_id and d.codec_id = c.id and d.codec_version = ${version}
        ))`.execute(db);
    },

    async setDecoding(
      farmId: number,
      deviceId: number,
      { builtinCodec, codecId, version }: Decoder,
      mapping: string | null,
      now: Date,
    ): Promise<void> {
      await db
        .updateTable('device')
        .set({
          builtin_codec: builtinCodec,
          codec_id: codecId,
          codec_version: version,
          mapping,
          updated_at: now,
        })
        .where('farm_id', '=', farmId)
        .where('id', '=', deviceId)
        .execute();
    },

    codecUid(farmId: number, codecId: number): Promise<{ uid: string } | undefined> {
      return db
        .selectFrom('codec')
        .select('uid')
        .where('farm_id', '=', farmId)
        .where('id', '=', codecId)
        .executeTakeFirst();
    },

    lastUplink(farmId: number, deviceId: number) {
      return db
        .selectFrom('last_uplink')
        .selectAll()
        .where('farm_id', '=', farmId)
        .where('device_id', '=', deviceId)
        .executeTakeFirst();
    },

    /** What the network said of the sensor: its facts, and the newest values of its link and power. */
    async network(
      farmId: number,
      deviceId: number,
      metrics: readonly string[],
    ): Promise<{ name: string; value: string; at: Date }[]> {
      const facts = await db
        .selectFrom('device_fact')
        .select(['name', 'value', 'at'])
        .where('farm_id', '=', farmId)
        .where('device_id', '=', deviceId)
        .execute();
      const values = await db
        .selectFrom('series as s')
        .innerJoin('latest as l', (join) =>
          join.onRef('l.farm_id', '=', 's.farm_id').onRef('l.series_id', '=', 's.id'),
        )
        .select(['s.metric as name', 'l.value', 'l.at'])
        .where('s.farm_id', '=', farmId)
        .where('s.device_id', '=', deviceId)
        .where('s.metric', 'in', [...metrics])
        .where('l.at', 'is not', null)
        .$narrowType<{ at: Date }>()
        .execute();
      return [...facts, ...values.map((row) => ({ ...row, value: String(row.value) }))].toSorted((a, b) =>
        a.name.localeCompare(b.name),
      );
    },
  };
}
export type CodecsRepo = ReturnType<typeof createCodecsRepo>;
