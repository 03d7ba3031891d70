import { healthHistory, sprinklerComms, sprinklerHealth } from '@headrace/contract/health';
import type { Mount } from '../../http/mount.ts';
import type { HealthService } from './health.service.ts';

export function healthRoutes(mount: Mount, health: HealthService): void {
  mount(sprinklerHealth, ({ farm, now }) => health.health(farm.farm, now));
  mount(sprinklerComms, ({ farm, now }) => health.comms(farm.farm, now));
  mount(healthHistory, ({ farm, query }) => health.history(farm.farm, query));
}
