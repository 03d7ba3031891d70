import * as api from '@headrace/contract/repeaters';
import type { Mount } from '../../http/mount.ts';
import type { FarPlaces } from '../devices/far-places.ts';
import { byOf, success } from '../devices/replies.ts';
import type { UnitFlags } from '../irrigation-devices/unit-flags.ts';
import type { RepeatersService } from './repeaters.service.ts';

export function repeatersRoutes(
  mount: Mount,
  repeaters: RepeatersService,
  flags: UnitFlags,
  far: FarPlaces,
): void {
  mount(api.repeaterDevices, ({ farm }) => repeaters.list(farm.farm));
  mount(api.getRepeater, ({ farm, device }) => repeaters.get(farm.farm, device));
  mount(api.createRepeater, (call) =>
    far.tell(call.farm.farm, call.body, null, () =>
      repeaters.create(call.farm.farmId, call.body, byOf(call)),
    ),
  );
  mount(api.updateRepeater, (call) =>
    far.tell(call.farm.farm, call.body, call.device, () =>
      repeaters.update(call.farm.farm, call.device, call.body, byOf(call)),
    ),
  );
  mount(api.deleteRepeater, async (call) => {
    const batchId = await repeaters.remove(call.device, byOf(call));
    return { ...success, batchId };
  });
  mount(api.replaceRepeaterBattery, async (call) => {
    await flags.replaceBattery(call.device, 'repeater', byOf(call), call.body.at);
    return success;
  });
  mount(api.groupsAndIpcsForRepeater, ({ farm }) => repeaters.groupsAndIpcs(farm.farmId));
}
