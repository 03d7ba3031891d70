import type { FarmRow } from '../../db/schema.ts';
import type { Sent } from '../../http/raw-reply.ts';
import type { SchedulesService } from '../schedules/schedules.service.ts';
import type { FarmContentRepo } from './farm-content.repo.ts';
import { devicesCsv } from './write-devices-csv.ts';
import { podConfig, repeaterConfig } from './write-ini.ts';
import { farmGeoJson, farmKml } from './write-maps.ts';
import { siteJson } from './write-site-json.ts';
import { siteZip } from './write-site-zip.ts';

/** The files of a farm's configuration. */
export function createExportsService(content: FarmContentRepo, schedules: Pick<SchedulesService, 'ofFarm'>) {
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
      const text = siteJson({ farm, devices, groups, templates, sets, currentSet }, now);
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
  };
}
export type ExportsService = ReturnType<typeof createExportsService>;
