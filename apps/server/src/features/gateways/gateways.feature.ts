import type { Core, Feature } from '../../feature.ts';
import type { DevicesFeature } from '../devices/devices.feature.ts';
import { createGatewaysRepo } from './gateways.repo.ts';
import { gatewaysRoutes } from './gateways.routes.ts';
import { createGatewaysService, type GatewaysService } from './gateways.service.ts';

export interface GatewaysFeature extends Feature {
  readonly service: GatewaysService;
}

/** Gateways, and the keys by which they and network servers sign in. */
export function createGatewaysFeature(core: Core, { records, far }: DevicesFeature): GatewaysFeature {
  const service = createGatewaysService(createGatewaysRepo(core.db), records, {
    disconnect: core.disconnectSender,
  });
  return { service, routes: (mount) => gatewaysRoutes(mount, service, far) };
}
