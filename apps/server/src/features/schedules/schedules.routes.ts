import { farmSchedules, listSchedules } from '@headrace/contract/schedules';
import type { Mount } from '../../http/mount.ts';
import type { SchedulesService } from './schedules.service.ts';

export function schedulesRoutes(mount: Mount, schedules: SchedulesService): void {
  mount(farmSchedules, ({ farm, query }) => schedules.ofFarm(farm.farm, query.setUID));
  mount(listSchedules, ({ farm }) => schedules.list(farm.farm));
}
