import type { QueryOf } from '@headrace/contract/endpoint';
import type { exportReadings } from '@headrace/contract/exports';
import { READINGS_FILE_DAYS } from '@headrace/contract/limits';
import { can, hasRight, type Resource } from '@headrace/contract/permissions';
import type { DeviceKind, FarmRow } from '../../db/schema.ts';
import type { FarmAccess } from '../../http/access-gate.ts';
import { forbidden, invalid, notFound } from '../../http/errors.ts';
import type { Sent } from '../../http/raw-reply.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { SchedulesService } from '../schedules/schedules.service.ts';
import { daysBetween } from '../series/history-range.ts';
import type { SeriesService } from '../series/series.service.ts';
import type { FarmContentRepo } from './farm-content.repo.ts';
import { inOrder } from './in-order.ts';
import { devicesCsv } from './write-devices-csv.ts';
import { podConfig, repeaterConfig } from './write-ini.ts';
import { farmGeoJson, farmKml } from './write-maps.ts';
import { siteJson } from './write-site-json.ts';
import { siteZip } from './write-site-zip.ts';

/** The files of a farm's configuration. */
export function createExportsService(
  content: FarmContentRepo,
  schedules: Pick<SchedulesService, 'ofFarm'>,
  series: Pick<SeriesService, 'file'>,
) {
  return {
    async pods({ id }: FarmRow): Promise<Sent> {
      return { fileName: 'pod-config.ini', content: podConfig(await content.devices(id)) };
    },

    async repeaters({ id }: FarmRow): Promise<Sent> {
      return { fileName: 'inc-rptrs.ini', content: repeaterConfig(await content.devices(id)) };
    },

    async schedules(farm: FarmRow, now: Date): Promise<Sent> {
      const { sets } = await schedules.ofFarm(farm, undefined);
      return { fileName: 'site.zip', content: await siteZip(farm.name, sets, now) };
    },

    async site(farm: FarmRow, now: Date): Promise<Sent> {
      const [devices, groups, templates, { sets, curr_set: currentSet }] = await Promise.all([
        content.devices(farm.id),
        content.groups(farm.id),
        content.templates(farm.id),
        schedules.ofFarm(farm, undefined),
      ]);
      const text = await siteJson({ farm, devices, groups, templates, sets, currentSet }, now);
      return { fileName: 'site.json', content: text };
    },

    async devices({ id }: FarmRow): Promise<Sent> {
      return { fileName: 'devices.csv', content: devicesCsv(await content.devices(id)) };
    },

    async kml(farm: FarmRow): Promise<Sent> {
      return { fileName: 'farm.kml', content: farmKml(farm, await content.devices(farm.id)) };
    },

    async geoJson(farm: FarmRow): Promise<Sent> {
      return { fileName: 'farm.geojson', content: farmGeoJson(farm, await content.devices(farm.id)) };
    },

    /** Throws invalid for days that don't exist or are too many, notFound for a device that isn't there or isn't for the caller's eyes. */
    async readings(
      { farm, permissions }: FarmAccess,
      { deviceId, each, startDate, endDate }: QueryOf<typeof exportReadings>,
      now: Date,
    ): Promise<Sent> {
      const range = daysBetween(
        toZone(farm),
        { name: 'startDate', text: startDate },
        { name: 'endDate', text: endDate },
        now.getTime(),
      );
      const most = READINGS_FILE_DAYS[each];
      if (range.days > most)
        throw invalid(`${range.days} days are asked for. The most is ${most}.`, 'startDate');
      const mayRead = readable.filter(({ resource }) => hasRight(permissions, can(resource, 'Read')));
      if (mayRead.length === 0) throw forbidden('You may see no devices of this farm that have readings.');
      const all = await content.devices(farm.id);
      const devices = mayRead
        .flatMap(({ kind }) => inOrder(all.filter((one) => one.kind === kind)))
        .filter(({ uid }) => deviceId === undefined || uid === deviceId);
      if (deviceId !== undefined && devices.length === 0) throw notFound();
      return {
        fileName: 'readings.csv',
        content: series.file({ farm, devices, each, range }),
      };
    },
  };
}
/** In the order of the file. */
const readable: readonly { readonly kind: DeviceKind; readonly resource: Resource }[] = [
  { kind: 'gateway', resource: 'gateways' },
  { kind: 'repeater', resource: 'repeaters' },
  { kind: 'sprinkler', resource: 'irrigationDevices' },
  { kind: 'sensor', resource: 'sensors' },
];

export type ExportsService = ReturnType<typeof createExportsService>;
