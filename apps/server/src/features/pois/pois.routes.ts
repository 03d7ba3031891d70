import * as api from '@headrace/contract/pois';
import type { Mount } from '../../http/mount.ts';
import type { FarPlaces } from '../devices/far-places.ts';
import { byOf, success } from '../devices/replies.ts';
import type { PoisService } from './pois.service.ts';

export function poisRoutes(mount: Mount, pois: PoisService, far: FarPlaces): void {
  mount(api.listPois, async ({ farm }) => ({ pois: await pois.list(farm.farm) }));
  mount(api.getPoi, ({ farm, device }) => pois.get(farm.farm, device));
  mount(api.createPoi, (call) =>
    far.tell(call.farm.farm, call.body, null, () => pois.create(call.farm.farmId, call.body, byOf(call))),
  );
  mount(api.updatePoi, (call) =>
    far.tell(call.farm.farm, call.body, call.device, () =>
      pois.update(call.farm.farm, call.device, call.body, byOf(call)),
    ),
  );
  mount(api.deletePoi, async (call) => {
    const batchId = await pois.remove(call.device, byOf(call));
    return { ...success, batchId };
  });
}
