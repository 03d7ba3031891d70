import { sql } from 'kysely';
import { CODEC_VERSIONS, CODEC_VERSIONS_BYTES } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';
import { claimOnce } from '../../db/once.ts';

export interface CodecChange {
  name: string | undefined;
  script: string | undefined;
  enable: boolean;
}

/** What changes codecs and their versions. */
export function codecWrites(db: Db) {
  return {
    add(farmId: number, codec: { uid: string; name: string; script: string }, now: Date): Promise<void> {
      return db.transaction().execute(async (trx) => {
        await claimOnce(trx);
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
    update(farmId: number, codecId: number, change: CodecChange, now: Date): Promise<number> {
      return db.transaction().execute(async (trx) => {
        const version = await changeCodec(trx, farmId, codecId, change, now);
        if (change.script === undefined) return version;
        await trx
          .insertInto('codec_version')
          .values({ farm_id: farmId, codec_id: codecId, version, script: change.script, created_at: now })
          .execute();
        await forgetVersions(trx, farmId, codecId, version);
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
  };
}

/** The newest version. */
async function changeCodec(
  trx: Db,
  farmId: number,
  codecId: number,
  { name, script, enable }: CodecChange,
  now: Date,
): Promise<number> {
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
  return version;
}

/** Old versions and large ones go, but for those that a sensor uses. */
async function forgetVersions(trx: Db, farmId: number, codecId: number, version: number): Promise<void> {
  await sql`delete from codec_version v where farm_id = ${farmId} and codec_id = ${codecId}
    and (version <= ${version - CODEC_VERSIONS} or ${CODEC_VERSIONS_BYTES} < (
      select sum(octet_length(n.script)) from codec_version n
      where n.farm_id = v.farm_id and n.codec_id = v.codec_id and n.version >= v.version
    )) and not exists (
      select from device d where d.farm_id = v.farm_id and d.codec_id = v.codec_id and d.codec_version = v.version
    )`.execute(trx);
}
