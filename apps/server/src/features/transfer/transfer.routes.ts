import * as api from '@headrace/contract/exports';
import { applyImport, importFile, planImport } from '@headrace/contract/imports';
import type { Mount } from '../../http/mount.ts';
import { byOf } from '../devices/replies.ts';
import type { ExportsService } from './exports.service.ts';
import type { ImportsService } from './imports.service.ts';

export function transferRoutes(mount: Mount, files: ExportsService, imports: ImportsService): void {
  mount(api.exportPods, ({ farm }) => files.pods(farm.farm));
  mount(api.exportRepeaters, ({ farm }) => files.repeaters(farm.farm));
  mount(api.exportSchedules, ({ farm, now }) => files.schedules(farm.farm, now));
  mount(api.exportSite, ({ farm, now }) => files.site(farm.farm, now));
  mount(api.exportDevices, ({ farm }) => files.devices(farm.farm));
  mount(api.exportKml, ({ farm }) => files.kml(farm.farm));
  mount(api.exportGeoJson, ({ farm }) => files.geoJson(farm.farm));
  mount(api.exportReadings, ({ farm, query, now }) => files.readings(farm, query, now));
  mount(planImport, ({ farm, body, caller }) => imports.plan(farm, body, caller.accountId));
  mount(applyImport, (call) => imports.apply(call.farm, call.body, byOf(call)));
  mount(importFile, (call) => imports.file(call.farm, call.body, byOf(call)));
}
