import * as api from '@headrace/contract/series';
import type { Mount } from '../../http/mount.ts';
import type { SeriesService } from './series.service.ts';

export function seriesRoutes(mount: Mount, series: SeriesService): void {
  mount(api.seriesList, async ({ farm, device, now }) => ({
    series: await series.list(farm.farm, device, now),
  }));
  mount(api.series, ({ farm, device, query, now }) => series.points(farm.farm, device, query, now));
}
