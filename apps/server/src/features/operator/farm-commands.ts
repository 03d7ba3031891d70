import { defaultWaterApplication } from '@headrace/contract/farms';
import { newUid } from '../../db/ids.ts';
import { zoneOfPlace } from '../farms/zone-of-place.ts';
import { accountOf, type Command } from './command.ts';
import { UsageError } from './usage-error.ts';

function coordinate(text: string | undefined, name: string, limit: number): number {
  const value = Number(text);
  if (text === undefined || text === '' || !(Math.abs(value) <= limit))
    throw new UsageError(`Give ${name} in degrees, -${limit} to ${limit}.`);
  return value;
}

export const farmCommands: Record<string, Command> = {
  'create-farm': {
    usage: 'create-farm <owner e-mail> <lat> <lng> <name…>',
    does: 'Makes a farm with the time zone of its place',
    async run({ db, now }, [email, latText, lngText, ...words]) {
      const { id: ownerId } = await accountOf(db, email);
      const lat = coordinate(latText, 'the latitude', 90);
      const lng = coordinate(lngText, 'the longitude', 180);
      const name = words.join(' ').trim();
      if (!name) throw new UsageError("Give the farm's name.");
      const zone = zoneOfPlace(lat, lng, now);
      const uid = newUid(now);
      await db
        .insertInto('farm')
        .values({
          uid,
          owner_id: ownerId,
          name,
          lat,
          lng,
          wal_config: JSON.stringify(defaultWaterApplication),
          time_zone_id: zone.timeZoneId,
          raw_offset: zone.rawOffset,
          dst_offset: zone.dstOffset,
          dst_enabled: zone.dstEnabled,
        })
        .execute();
      return `Farm ${name} made: ${uid}, ${zone.timeZoneId}.`;
    },
  },
};
