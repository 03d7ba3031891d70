import * as api from '@headrace/contract/exports';
import type { Mount } from '../../http/mount.ts';
import type { ExportsService } from './exports.service.ts';

export function exportsRoutes(mount: Mount, files: ExportsService): void {
  mount(api.exportPods, ({ farm }) => files.pods(farm.farm));
  mount(api.exportRepeaters, ({ farm }) => files.repeaters(farm.farm));
  mount(api.exportSchedules, ({ farm, now }) => files.schedules(farm.farm, now));
  mount(api.exportSite, ({ farm, now }) => files.site(farm.farm, now));
  mount(api.exportDevices, ({ farm }) => files.devices(farm.farm));
  mount(api.exportKml, ({ farm }) => files.kml(farm.farm));
  mount(api.exportGeoJson, ({ farm }) => files.geoJson(farm.farm));
}
