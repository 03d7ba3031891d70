import type { BodyOf } from '@headrace/contract/endpoint';
import { type createPoi, type Poi, poiIcons, type updatePoi } from '@headrace/contract/pois';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { notFound, stale } from '../../http/errors.ts';
import { checkForm, given, placeOf, requireKind } from '../devices/device-entries.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import { type By, StaleRecord } from '../devices/record-change.ts';
import type { PoiRow, PoisRepo } from './pois.repo.ts';

const [PIN] = poiIcons;

export function createPoisService(pois: PoisRepo, records: DeviceRecords) {
  async function record(farm: FarmRow, id: number): Promise<Poi> {
    const row = await pois.one(farm.id, id);
    if (!row) throw notFound();
    return toPoi(farm, row);
  }

  return {
    async list(farm: FarmRow): Promise<Poi[]> {
      return (await pois.list(farm.id)).map((row) => toPoi(farm, row));
    },

    get(farm: FarmRow, device: DeviceRow): Promise<Poi> {
      requireKind(device, 'poi');
      return record(farm, device.id);
    },

    async create(farmId: number, body: BodyOf<typeof createPoi>, by: By): Promise<{ id: string }> {
      checkForm('poi', body);
      const added = await records.add(
        farmId,
        {
          uid: newUid(by.now),
          kind: 'poi',
          name: body.name.trim(),
          description: body.description?.trim() ?? '',
          mac: null,
          lat: body.lat,
          lng: body.lng,
          settings: JSON.stringify({ icon: body.icon ?? PIN }),
        },
        by,
      );
      return { id: added.uid };
    },

    async update(farm: FarmRow, device: DeviceRow, body: BodyOf<typeof updatePoi>, by: By): Promise<Poi> {
      requireKind(device, 'poi');
      checkForm('poi', body);
      const change = {
        name: body.name.trim(),
        ...given({ description: body.description?.trim() }),
        ...placeOf(body),
        settings: given({ icon: body.icon }),
      };
      await records.change(device, change, by, body.version).catch(async (error: unknown) => {
        throw error instanceof StaleRecord ? stale(await record(farm, device.id)) : error;
      });
      return record(farm, device.id);
    },

    remove(device: DeviceRow, by: By): Promise<string | null> {
      requireKind(device, 'poi');
      return records.remove(device, by);
    },
  };
}
export type PoisService = ReturnType<typeof createPoisService>;

function toPoi(farm: FarmRow, row: PoiRow): Poi {
  const { icon } = row.settings;
  return {
    _id: row.uid,
    farmUID: farm.uid,
    name: row.name,
    description: row.description,
    lat: row.lat ?? farm.lat,
    lng: row.lng ?? farm.lng,
    icon: typeof icon === 'string' ? icon : PIN,
    groups: row.groups,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
