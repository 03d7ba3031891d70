import type { Core, Feature } from '../../feature.ts';
import { createSensorConfig } from './sensor-config.ts';
import { sensorConfigRoutes } from './sensor-config.routes.ts';

/** Configurations of sensors, sent through their gateways. */
export function createSensorConfigFeature(core: Core): Feature {
  const { service, hello, tick } = createSensorConfig({
    ...core,
    tell: (events) => core.live.publish(events),
    publish: core.publishDown,
  });
  return {
    routes: (mount) => sensorConfigRoutes(mount, service),
    onHello: hello,
    jobs: [{ name: 'settings of sensors', everyMs: 30_000, run: tick }],
  };
}
