import * as api from '@headrace/contract/irrigation-devices';
import type { Mount } from '../../http/mount.ts';
import type { Locations } from '../devices/locations.ts';
import { byOf, success } from '../devices/replies.ts';
import type { Conversions } from '../pois/conversions.ts';
import type { IrrigationDevicesService } from './irrigation-devices.service.ts';
import type { UnitFlags } from './unit-flags.ts';

interface Services {
  readonly units: IrrigationDevicesService;
  readonly flags: UnitFlags;
  readonly locations: Locations;
  readonly conversions: Conversions;
}

export function irrigationDevicesRoutes(mount: Mount, services: Services): void {
  const { units } = services;
  mount(api.irrigationDevices, ({ farm }) => units.list(farm.farm), { keepTextsOf: 'ipcs' });
  mount(api.spareUnits, async ({ farm }) => ({ ipcs: await units.spares(farm.farm) }));
  mount(api.ipcsForRepeater, async ({ farm }) => ({ ipcs: await units.forRepeater(farm.farm) }));
  mount(api.podsInfo, ({ farm }) => units.pods(farm.farmId));
  mount(api.hasChanges, async ({ farm }) => ({ sync: await units.hasChanges(farm.farmId) }));
  mount(api.lastFarmIdAndChannel, ({ farm }) => units.lastRadio(farm.farmId));
  mount(api.getIpc, ({ farm, device }) => units.get(farm.farm, device));
  mount(api.createIpc, (call) => units.create(call.farm.farmId, call.body, byOf(call)));
  mount(api.updateIpc, (call) => units.update(call.farm.farm, call.device, call.body, byOf(call)));
  mount(api.deleteIpc, async (call) => {
    await units.remove(call.device, byOf(call));
    return success;
  });
  mount(api.bulkEditIpcs, async (call) => ({
    updated: await units.bulkEdit(call.farm.farmId, call.body, byOf(call)),
  }));
  mount(api.resetSchedulesIndex, async ({ farm }) => {
    await units.resetSchedulesIndex(farm.farmId);
    return success;
  });
  flagRoutes(mount, services);
}

function flagRoutes(mount: Mount, { flags, locations, conversions }: Services): void {
  mount(api.flagAsSpare, async (call) => {
    await flags.spare(call.device, call.body.status, byOf(call));
    return success;
  });
  mount(api.flagAsPartSprinkler, async (call) => {
    await flags.partSprinkler(call.device, call.body.status, byOf(call));
    return success;
  });
  mount(api.flagReconfigure, async (call) => {
    await flags.reconfigure(call.device, call.body.status, byOf(call));
    return success;
  });
  mount(api.convertToPlaceholder, async (call) => {
    await flags.placeholder(call.device, byOf(call));
    return success;
  });
  mount(api.returnToService, async (call) => {
    await flags.returnToService(call.device, byOf(call));
    return success;
  });
  mount(api.convertToPoi, async (call) => ({
    name: await conversions.unitToPoi(call.farm.farm, call.device, byOf(call)),
  }));
  mount(api.replaceIpcBattery, async (call) => {
    await flags.replaceBattery(call.device, 'sprinkler', byOf(call));
    return success;
  });
  mount(api.resetIpcLocations, async (call) => ({
    ...success,
    reset: await locations.reset(call.farm.farmId, ['sprinkler'], byOf(call)),
  }));
  mount(api.resetAllLocations, async (call) => ({
    ...success,
    reset: await locations.reset(
      call.farm.farmId,
      ['gateway', 'sprinkler', 'repeater', 'sensor'],
      byOf(call),
    ),
  }));
}
