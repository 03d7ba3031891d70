import * as api from '@headrace/contract/irrigation-devices';
import { unitList } from '@headrace/contract/unit-list';
import type { Mount } from '../../http/mount.ts';
import type { FarPlaces } from '../devices/far-places.ts';
import type { Locations } from '../devices/locations.ts';
import { byOf, success } from '../devices/replies.ts';
import type { BulkUnits } from './bulk-units.ts';
import type { IrrigationDevicesService } from './irrigation-devices.service.ts';
import type { UnitFlags } from './unit-flags.ts';

interface Services {
  readonly units: IrrigationDevicesService;
  readonly bulk: BulkUnits;
  readonly flags: UnitFlags;
  readonly locations: Locations;
  readonly far: FarPlaces;
}

export function irrigationDevicesRoutes(mount: Mount, services: Services): void {
  const { units, far } = services;
  mount(api.irrigationDevices, ({ farm }) => units.list(farm.farm));
  mount(unitList, ({ farm, query }) => units.inShort(farm.farm, query.since));
  mount(api.spareUnits, async ({ farm }) => ({ ipcs: await units.spares(farm.farm) }));
  mount(api.ipcsForRepeater, async ({ farm }) => ({ ipcs: await units.forRepeater(farm.farm) }));
  mount(api.podsInfo, ({ farm }) => units.pods(farm.farmId));
  mount(api.hasChanges, async ({ farm }) => ({ sync: await units.hasChanges(farm.farmId) }));
  mount(api.lastFarmIdAndChannel, ({ farm }) => units.lastRadio(farm.farmId));
  mount(api.getIpc, ({ farm, device }) => units.get(farm.farm, device));
  mount(api.createIpc, (call) =>
    far.tell(call.farm.farm, call.body, null, () => units.create(call.farm.farmId, call.body, byOf(call))),
  );
  mount(api.updateIpc, (call) =>
    far.tell(call.farm.farm, call.body, call.device, () =>
      units.update(call.farm.farm, call.device, call.body, byOf(call)),
    ),
  );
  mount(api.deleteIpc, async (call) => {
    const batchId = await units.remove(call.device, byOf(call));
    return { ...success, batchId };
  });
  mount(api.resetSchedulesIndex, async ({ farm }) => {
    await units.resetSchedulesIndex(farm.farmId);
    return success;
  });
  bulkRoutes(mount, services);
  flagRoutes(mount, services);
}

function bulkRoutes(mount: Mount, { bulk }: Services): void {
  mount(api.checkIpcs, ({ farm, body }) => bulk.check(farm.farm, body));
  mount(api.addIpcs, (call) => bulk.add(call.farm.farm, call.body, byOf(call)));
  mount(api.bulkEditIpcs, (call) => bulk.change(call.farm.farmId, call.body, byOf(call)));
  mount(api.deleteIpcs, (call) => bulk.remove(call.farm.farmId, call.body, byOf(call)));
}

function flagRoutes(mount: Mount, { flags, locations }: Services): void {
  mount(api.flagAsSpare, async (call) => ({
    ...success,
    batchId: await flags.spare(call.device, call.body.status, byOf(call)),
  }));
  mount(api.flagAsPartSprinkler, async (call) => ({
    ...success,
    batchId: await flags.partSprinkler(call.device, call.body.status, byOf(call)),
  }));
  mount(api.flagReconfigure, async (call) => {
    await flags.reconfigure(call.device, call.body.status, byOf(call));
    return success;
  });
  mount(api.convertToPlaceholder, async (call) => ({
    ...success,
    batchId: await flags.placeholder(call.device, byOf(call)),
  }));
  mount(api.returnToService, async (call) => ({
    ...success,
    batchId: await flags.returnToService(call.device, byOf(call)),
  }));
  mount(api.replaceIpcBattery, async (call) => {
    await flags.replaceBattery(call.device, 'sprinkler', byOf(call), call.body.at);
    return success;
  });
  mount(api.placedDevices, ({ farm }) => locations.placed(farm.farmId));
  mount(api.resetIpcLocations, (call) => locations.reset(call.farm.farmId, ['sprinkler'], byOf(call)));
  mount(api.resetAllLocations, (call) =>
    locations.reset(call.farm.farmId, ['gateway', 'sprinkler', 'repeater', 'sensor'], byOf(call)),
  );
}
