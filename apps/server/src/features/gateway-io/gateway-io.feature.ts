import type { Core, Feature } from '../../feature.ts';
import { createGatewayIo, type GatewayIo } from './gateway-io.ts';
import { gatewayIoRoutes } from './gateway-io.routes.ts';

export interface GatewayIoFeature extends Feature, Pick<GatewayIo, 'service' | 'devicesChanged'> {}

/** Inputs and relays of gateways. */
export function createGatewayIoFeature(core: Core): GatewayIoFeature {
  const { service, devicesChanged, hello, tick } = createGatewayIo({
    ...core,
    tell: (events) => core.live.publish(events),
    publish: core.publishDown,
  });
  return {
    service,
    devicesChanged,
    routes: (mount) => gatewayIoRoutes(mount, service),
    onHello: hello,
    // Settings that changed without us, or were not sent.
    jobs: [{ name: 'settings of gateways', everyMs: 30_000, run: tick }],
  };
}
