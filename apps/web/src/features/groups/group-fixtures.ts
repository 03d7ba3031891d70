import type { Group } from '@headrace/contract/groups';
import { presets } from '@headrace/contract/permissions';
import { permissionsOn, rakaia, uid } from '../../testing/fixtures.ts';
import { buildIpc, buildPoi, deviceApi, farmUID } from '../devices/device-fixtures.ts';

/** Groups of Rākaia Downs for tests. */
export const buildGroup = (n: number, name: string, over: Partial<Group> = {}): Group => ({
  _id: uid(8100 + n),
  id: uid(8100 + n),
  farmUID,
  name,
  description: '',
  isLateral: false,
  walConfig: rakaia.walConf,
  amountOfIpc: 0,
  amountOfIpcInhibited: 0,
  version: 1,
  createdAt: '2026-01-14T02:00:00.000Z',
  updatedAt: '2026-01-14T02:00:00.000Z',
  ...over,
});

export const north = buildGroup(1, 'North', { isLateral: true });
export const south = buildGroup(2, 'South', { isLateral: true });

/** North has A1; A9 is in South; A2, A3 and A10 and the point Gate 1 are in none. */
export function membersApi() {
  const ipcs = [
    buildIpc(1, { groups: [north._id] }),
    buildIpc(2),
    buildIpc(3),
    buildIpc(9, { groups: [south._id] }),
    buildIpc(10, { lat: null, lng: null }),
  ];
  const pois = [buildPoi(1)];
  let inside: readonly string[] = [buildIpc(1)._id];
  return deviceApi({ ipcs, pois })
    .on('GET /groups', { groups: [north, south] })
    .on('GET /groups-card', { groups: [north, south] })
    .on('GET /group/devices', () => ({
      id: north._id,
      name: north.name,
      description: '',
      farmLocation: { lat: rakaia.lat, lng: rakaia.lng },
      farmBoundary: [],
      ipcs: ipcs.map(({ _id }) => _id).filter((id) => inside.includes(id)),
      pois: pois.map(({ _id }) => _id).filter((id) => inside.includes(id)),
    }))
    .on('PUT /group/devices/add', ({ body }) => {
      inside = [...inside, ...(body.ipcs ?? []), ...(body.pois ?? [])];
      return { success: true, changed: 1 };
    })
    .on('PUT /group/devices/remove', { success: true, changed: 1 });
}

export const asGuest = { permissions: [permissionsOn(rakaia, presets.guest)] };
