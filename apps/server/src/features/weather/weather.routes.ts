import { weatherForecast } from '@headrace/contract/weather';
import type { Mount } from '../../http/mount.ts';
import type { WeatherService } from './weather.service.ts';

export function weatherRoutes(mount: Mount, weather: WeatherService): void {
  mount(weatherForecast, ({ farm, now }) => weather.forecast(farm.farm, now));
}
