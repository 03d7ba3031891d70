import {
  createIntegrationKey,
  deleteIntegrationKey,
  getGateway,
  listIntegrationKeys,
  rotateDeviceKey,
} from '@headrace/contract/gateways';
import type { Mount } from '../../http/mount.ts';
import type { GatewaysService } from './gateways.service.ts';

export function gatewaysRoutes(mount: Mount, gateways: GatewaysService): void {
  mount(getGateway, ({ farm, device }) => gateways.gateway(farm.farm, device));
  mount(listIntegrationKeys, async ({ farm }) => ({ keys: await gateways.keys(farm.farmId) }));
  mount(createIntegrationKey, ({ farm, body, now }) => gateways.createKey(farm.farmId, body.name, now));
  mount(deleteIntegrationKey, async ({ farm, query, now }) => {
    await gateways.deleteKey(farm.farmId, query.keyUID, now);
    return { success: true };
  });
  mount(rotateDeviceKey, ({ device, now }) => gateways.rotateKey(device, now));
}
