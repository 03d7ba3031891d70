import {
  createGateway,
  createIntegrationKey,
  deleteGateway,
  deleteIntegrationKey,
  gatewayDevices,
  getGateway,
  listIntegrationKeys,
  rotateDeviceKey,
  updateGateway,
} from '@headrace/contract/gateways';
import type { Mount } from '../../http/mount.ts';
import type { FarPlaces } from '../devices/far-places.ts';
import { byOf, success } from '../devices/replies.ts';
import type { GatewaysService } from './gateways.service.ts';

export function gatewaysRoutes(mount: Mount, gateways: GatewaysService, far: FarPlaces): void {
  mount(getGateway, ({ farm, device }) => gateways.gateway(farm.farm, device));
  mount(gatewayDevices, ({ farm }) => gateways.list(farm.farm));
  mount(createGateway, (call) =>
    far.tell(call.farm.farm, call.body, null, () => gateways.create(call.farm.farmId, call.body, byOf(call))),
  );
  mount(updateGateway, (call) =>
    far.tell(call.farm.farm, call.body, call.device, () =>
      gateways.update(call.farm.farm, call.device, call.body, byOf(call)),
    ),
  );
  mount(deleteGateway, async (call) => {
    const batchId = await gateways.remove(call.device, byOf(call));
    return { ...success, batchId };
  });
  mount(listIntegrationKeys, async ({ farm }) => ({ keys: await gateways.keys(farm.farmId) }));
  mount(createIntegrationKey, ({ farm, body, now }) => gateways.createKey(farm.farmId, body.name, now));
  mount(deleteIntegrationKey, async ({ farm, query, now }) => {
    await gateways.deleteKey(farm.farmId, query.keyUID, now);
    return { success: true };
  });
  mount(rotateDeviceKey, ({ device, now }) => gateways.rotateKey(device, now));
}
