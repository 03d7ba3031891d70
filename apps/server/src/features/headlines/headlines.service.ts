import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import type { GatewayMonitor } from '@headrace/contract/gateway-io';
import type * as api from '@headrace/contract/headlines';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { flowValue } from '@headrace/contract/rules/flow';
import { ioPorts } from '@headrace/contract/rules/io-settings';
import { meterTypes, sensorTypes } from '@headrace/contract/sensor-types';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { FlowService } from '../flow/flow.service.ts';
import type { SoilMoistureService } from '../soil-moisture/soil-moisture.service.ts';
import { isoTime } from '@headrace/contract/rules/iso-time';
import type { SeriesService } from '../series/series.service.ts';
import type { TanksService } from '../tanks/tanks.service.ts';
import type { WeatherService } from '../weather/weather.service.ts';

export interface HeadlineSources {
  soil: Pick<SoilMoistureService, 'temperature' | 'rainSince'>;
  tanks: Pick<TanksService, 'now' | 'usedOn'>;
  flow: Pick<FlowService, 'now' | 'accumulated'>;
  weather: Pick<WeatherService, 'rainOver'>;
  series: Pick<SeriesService, 'reported' | 'now'>;
  /** Inputs and relays of the farm's first gateway that has them. */
  gatewayIo: { monitor(farm: FarmRow, query: object, now: Date): Promise<GatewayMonitor | null> };
}

const LITRES_PER_M3 = 1000;
const time = (at: number | null) => (at === null ? null : isoTime(at));

/** One fact of a farm each, with when it was measured; what isn't known is null. */
export function createHeadlinesService({ soil, tanks, flow, weather, gatewayIo, series }: HeadlineSources) {
  return {
    async temperature(
      farm: FarmRow,
      { site, time: hour }: QueryOf<typeof api.headlineTemperature>,
      now: Date,
    ): Promise<ReplyOf<typeof api.headlineTemperature>> {
      const { value, at } = await soil.temperature(farm, site, hour, now);
      return { temperature: value, at: time(at) };
    },

    async rain(
      farm: FarmRow,
      { site, startDate }: QueryOf<typeof api.headlineRain>,
      now: Date,
    ): Promise<ReplyOf<typeof api.headlineRain>> {
      const { mm, at } = await soil.rainSince(farm, site, startDate, now);
      return { rain: mm, at: time(at) };
    },

    async rainForecast(
      { lat, long: lng, days, dstEnabled }: QueryOf<typeof api.headlineRainForecast>,
      now: Date,
    ): Promise<ReplyOf<typeof api.headlineRainForecast>> {
      const expected = await weather.rainOver({ lat, lng, dstEnabled }, days, now);
      return expected ?? { rain: null, at: null, source: '', isDemo: false };
    },

    async tank(farm: FarmRow, device: DeviceRow, now: Date): Promise<ReplyOf<typeof api.headlineTank>> {
      const { level, levelAt } = await tanks.now(farm, device, now);
      return { name: device.name, ...level, at: time(levelAt) };
    },

    /** Throws invalid where the metric doesn't measure what is asked for. */
    async tankFlow(
      farm: FarmRow,
      device: DeviceRow,
      { sumType, metric }: Pick<QueryOf<typeof api.headlineTankFlow>, 'sumType' | 'metric'>,
      now: Date,
    ): Promise<ReplyOf<typeof api.headlineTankFlow>> {
      const { name } = device;
      const isAmount = metric === 'L' || metric === 'm3';
      if (sumType === 'current') {
        if (isAmount) throw invalid('The current flow is told in L/min or m3/h.', 'metric');
        const { litrePerMinute, flowAt } = await tanks.now(farm, device, now);
        const perHour = litrePerMinute === null ? null : (litrePerMinute * 60) / LITRES_PER_M3;
        return { name, value: metric === 'L/min' ? litrePerMinute : perHour, at: time(flowAt) };
      }
      if (!isAmount) throw invalid('What was drawn on a day is told in L or m3.', 'metric');
      const { litres, at } = await tanks.usedOn(farm, device, sumType === 'today' ? 0 : 1, now);
      const cubicMetres = litres === null ? null : litres / LITRES_PER_M3;
      return { name, value: metric === 'L' ? litres : cubicMetres, at: time(at) };
    },

    async flow(device: DeviceRow): Promise<ReplyOf<typeof api.headlineFlow>> {
      requireMeter(device);
      const { litrePerMinute, at } = await flow.now(device);
      const perSecond = litrePerMinute === null ? null : litrePerMinute / 60;
      return { name: device.name, ...flowValue(perSecond), at: time(at) };
    },

    async accumulatedFlow(
      farm: FarmRow,
      device: DeviceRow,
      days: QueryOf<typeof api.headlineAccumulatedFlow>['days'],
      now: Date,
    ): Promise<ReplyOf<typeof api.headlineAccumulatedFlow>> {
      requireMeter(device);
      const zone = toZone(farm);
      const today = dayStart(zone, now.getTime());
      const range =
        days === 'yesterday'
          ? { from: addDays(zone, today, -1), to: today }
          : { from: addDays(zone, today, days === 'today' ? 0 : 1 - Number(days)), to: now.getTime() + 1 };
      const { litres, at } = await flow.accumulated(zone, device, range);
      return { name: device.name, value: litres, at: time(at) };
    },

    metrics: async (farm: FarmRow): Promise<ReplyOf<typeof api.headlineMetrics>> => ({
      metrics: await series.reported(farm),
    }),

    metric: async (device: DeviceRow, metric: string): Promise<ReplyOf<typeof api.headlineMetric>> => ({
      name: device.name,
      ...(await series.now(device, metric)),
    }),

    async io(farm: FarmRow, now: Date): Promise<ReplyOf<typeof api.headlineIo>> {
      const gateway = await gatewayIo.monitor(farm, {}, now);
      if (!gateway?.state) return null;
      const { ioSettings } = gateway;
      const titles = ioPorts.flatMap((port) =>
        ([`input${port}`, `relay${port}`] as const).map((name) => [name, ioSettings[name].title] as const),
      );
      return { ...gateway.state, titles: Object.fromEntries(titles), at: gateway.statusTime };
    },
  };
}
export type HeadlinesService = ReturnType<typeof createHeadlinesService>;

/** A meter, or a tank unit, which may have one; other devices of the farm don't exist here. */
function requireMeter({ kind, type }: DeviceRow): void {
  if (kind !== 'sensor' || (!meterTypes.includes(type) && type !== sensorTypes.TLM_V3)) throw notFound();
}
