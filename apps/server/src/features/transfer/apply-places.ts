import { poiIcons } from '@headrace/contract/pois';
import { areaHectares } from '@headrace/contract/rules/polygon';
import type { LatLng } from '@headrace/contract/schemas';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import type { ChangedRecord } from '../changes/change-batch.ts';
import { addFreeRecords } from '../devices/add-records.ts';
import { changeEach } from '../devices/change-each.ts';
import type { By } from '../devices/record-change.ts';
import { putRecordsBack, readOthers } from '../undo/other-records.ts';
import { deedsOf, type PlanItem } from './plan-items.ts';
import { NEW_POINTS_MAX } from './plan-places.ts';

const [PIN] = poiIcons;

/** Moves devices, adds points of interest and draws the boundary as the items say; the caller planned them in this transaction. */
export async function applyPlaces(trx: Db, farm: FarmRow, items: readonly PlanItem[], by: By): Promise<void> {
  const moves = deedsOf(items, 'move').map(({ device: { id, version }, place }) => ({
    id,
    version,
    change: place,
  }));
  await changeEach(trx, farm.id, moves, by);
  const wanted = deedsOf(items, 'add point');
  if (wanted.length > NEW_POINTS_MAX)
    throw invalid(
      `A file adds ${NEW_POINTS_MAX} points of interest at most, and ${wanted.length.toLocaleString('en-NZ')} are ticked. Please untick some.`,
      'take',
    );
  const points = wanted.map(({ name, place: { lat, lng } }) => ({
    record: {
      uid: newUid(by.now),
      kind: 'poi' as const,
      name: name.trim(),
      mac: null,
      lat,
      lng,
      settings: JSON.stringify({ icon: PIN }),
    },
    groups: [],
  }));
  if (points.length > 0) await addFreeRecords(trx, farm.id, points, by);
  const [boundary] = deedsOf(items, 'boundary');
  if (boundary) await drawBoundary(trx, farm, boundary.ring, by);
}

/** As what is put back: with its way back in the batch. */
async function drawBoundary(
  trx: Db,
  { id, uid, name, ...farm }: FarmRow,
  ring: readonly LatLng[],
  by: By,
): Promise<void> {
  const record: ChangedRecord = {
    what: 'changed',
    kind: 'farm',
    uid,
    name,
    columns: { boundary: [ring, farm.boundary], size_ha: [areaHectares(ring), farm.size_ha] },
  };
  await putRecordsBack(trx, id, [record], await readOthers(trx, id, [record]), by);
}
