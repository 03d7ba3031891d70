import * as api from '@headrace/contract/headlines';
import type { Mount } from '../../http/mount.ts';
import type { HeadlinesService } from './headlines.service.ts';

export function headlinesRoutes(mount: Mount, headlines: HeadlinesService): void {
  mount(api.headlineTemperature, ({ farm, query, now }) => headlines.temperature(farm.farm, query, now));
  mount(api.headlineRain, ({ farm, query, now }) => headlines.rain(farm.farm, query, now));
  mount(api.headlineRainForecast, ({ query, now }) => headlines.rainForecast(query, now));
  mount(api.headlineTank, ({ farm, device, now }) => headlines.tank(farm.farm, device, now));
  mount(api.headlineTankFlow, ({ farm, device, query, now }) =>
    headlines.tankFlow(farm.farm, device, query, now),
  );
  mount(api.headlineFlow, ({ device }) => headlines.flow(device));
  mount(api.headlineAccumulatedFlow, ({ farm, device, query, now }) =>
    headlines.accumulatedFlow(farm.farm, device, query.days, now),
  );
  mount(api.headlineMetrics, ({ farm }) => headlines.metrics(farm.farm));
  mount(api.headlineMetric, ({ device, query }) => headlines.metric(device, query.metric));
  mount(api.headlineIo, ({ farm, now }) => headlines.io(farm.farm, now));
}
