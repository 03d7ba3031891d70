import { poiIcons } from '@headrace/contract/pois';
import { areaHectares } from '@headrace/contract/rules/polygon';
import type { LatLng } from '@headrace/contract/schemas';
import { wholeText } from '@headrace/contract/rules/number-text';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import type { ChangedRecord } from '../changes/change-batch.ts';
import { addFreeRecords } from '../devices/add-records.ts';
import { changeEach } from '../devices/change-each.ts';
import type { By } from '../devices/record-change.ts';
import { type ClockColumns, clockOfPlace } from '../farms/farm-clock.ts';
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
      `A file adds ${NEW_POINTS_MAX} points of interest at most, and ${wholeText(wanted.length)} are ticked. Please untick some.`,
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
  await changeFarm(trx, farm, items, by);
}

/** Name, place and boundary, as what is put back: as one record, with its way back in the batch. */
async function changeFarm(
  trx: Db,
  { id, uid, name, ...farm }: FarmRow,
  items: readonly PlanItem[],
  by: By,
): Promise<void> {
  const [boundary] = deedsOf(items, 'boundary');
  const [own] = deedsOf(items, 'farm');
  const columns: ChangedRecord['columns'] = {
    ...(boundary && {
      boundary: [boundary.ring, farm.boundary],
      size_ha: [areaHectares(boundary.ring), farm.size_ha],
    }),
    ...(own && columnsOf(own.change, { name, ...farm }, by.now)),
  };
  if (Object.keys(columns).length === 0) return;
  const record: ChangedRecord = { what: 'changed', kind: 'farm', uid, name, columns };
  await putRecordsBack(trx, id, [record], await readOthers(trx, id, [record]), by);
}

/** Where it stands decides what its clock says. */
function columnsOf(
  { name, lat, lng }: { readonly name: string } & LatLng,
  farm: Pick<FarmRow, 'name' | 'lat' | 'lng' | keyof ClockColumns>,
  now: Date,
): ChangedRecord['columns'] {
  const isMoved = lat !== farm.lat || lng !== farm.lng;
  const after = { name, lat, lng, ...(isMoved && clockOfPlace({ lat, lng }, farm, now)) };
  return Object.fromEntries(
    (Object.keys(after) as (keyof typeof after)[]).map((column) => [
      column,
      [after[column], farm[column]] as const,
    ]),
  );
}
