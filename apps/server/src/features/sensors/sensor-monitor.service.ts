import type { QueryOf, ReplyOf } from '@headrace/contract/endpoint';
import { isValidTension } from '@headrace/contract/rules/soil-moisture';
import { measuresByFlow, tankShape } from '@headrace/contract/rules/tank';
import type { SensorMonitor, sensorHistory, SensorType } from '@headrace/contract/sensors';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { requireKind } from '../devices/device-entries.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { FlowService } from '../flow/flow.service.ts';
import { isPossible } from '@headrace/contract/rules/metric-limits';
import { meterMetrics } from '../flow/meter.ts';
import { type Cut, metered } from '../flow/metered.ts';
import { isoTime } from '@headrace/contract/rules/iso-time';
import { meanOfValid, rounded } from '../series/row-values.ts';
import { percentOf } from '../tanks/history-points.ts';
import { chartSpan, daysBetween, type HistoryRange } from '../series/history-range.ts';
import { type LatestValues, statusTimeOf } from '../series/latest-values.ts';
import type { LevelUse } from '../tanks/level-use.ts';
import type { RollupSeries } from '../series/rollup-query.ts';
import { litresByLevel, meterBegan, untilMeter, usedByMeter } from '../tanks/tank-usage.ts';
import { statusClass } from './sensor-record.ts';
import type { SensorMonitorRepo } from './sensor-monitor.repo.ts';
import {
  batteryOf,
  batteryNow,
  levelNow,
  meanTension,
  quantityOf,
  rawFlow,
  switchNow,
  tensionMetrics,
  tensionNow,
  units,
} from './sensor-quantity.ts';

type Values = { at: number; value: number | null }[];
type DataType = QueryOf<typeof sensorHistory>['dataType'];
type SeriesOf = (metric: string) => RollupSeries;

const metricsOf: Record<Exclude<DataType, 'value'>, readonly string[]> = {
  battery: ['batteryPercent', 'batteryV'],
  flow: meterMetrics,
  usage: ['levelMm', ...meterMetrics],
  temperature: ['temperatureC'],
};
const unitOf: Record<Exclude<DataType, 'value'>, string> = {
  battery: '%',
  flow: 'L/min',
  usage: 'L',
  temperature: '°C',
};
const valueMetrics = { level: ['levelMm'], flow: meterMetrics, tension: tensionMetrics, switch: ['switch'] };

/** What a sensor says now and has said, whatever it is there to tell. */
export function createSensorMonitor(repo: SensorMonitorRepo, flow: Pick<FlowService, 'now'>) {
  async function reportedNow(device: DeviceRow, latest: LatestValues) {
    const quantity = quantityOf(device);
    switch (quantity) {
      case 'level':
        return levelNow(device, latest);
      case 'tension':
        return tensionNow(latest);
      case 'switch':
        return switchNow(latest);
      case 'flow': {
        const { litrePerMinute, invalid } = await flow.now(device);
        return { value: litrePerMinute, rawValue: rawFlow(latest), invalid };
      }
      default:
        return quantity satisfies never;
    }
  }

  /** Since when a switch stands as it does. */
  async function sinceOf(device: DeviceRow, latest: LatestValues): Promise<string | null> {
    const state = latest.get('switch');
    if (quantityOf(device) !== 'switch' || !state || state.value === null) return null;
    const at = await repo.stateSince(device.farm_id, state.seriesId, state.value);
    return at === null ? null : isoTime(at);
  }

  return {
    async monitor(device: DeviceRow, now: Date): Promise<SensorMonitor> {
      requireKind(device, 'sensor');
      const latest = await repo.latest(device);
      const statusTime = statusTimeOf(latest);
      return {
        sensorUid: device.uid,
        name: device.name,
        type: device.type as SensorType,
        statusTime: statusTime === null ? null : isoTime(statusTime),
        status: statusClass(statusTime, now),
        ...(await reportedNow(device, latest)),
        battery: batteryNow(latest),
        unit: units[quantityOf(device)],
        since: await sinceOf(device, latest),
      };
    },

    /** Throws invalid for days that don't exist, or that end before they begin. */
    async history(
      farm: FarmRow,
      device: DeviceRow,
      {
        startDate,
        endDate,
        dataType,
      }: Pick<QueryOf<typeof sensorHistory>, 'startDate' | 'endDate' | 'dataType'>,
      now: Date,
    ): Promise<ReplyOf<typeof sensorHistory>> {
      requireKind(device, 'sensor');
      const zone = toZone(farm);
      const range: HistoryRange = daysBetween(
        zone,
        { name: 'startDate', text: startDate },
        { name: 'endDate', text: endDate },
        now.getTime(),
      );
      const quantity = quantityOf(device);
      const metrics = dataType === 'value' ? valueMetrics[quantity] : metricsOf[dataType];
      const latest = await repo.latest(device);
      const span = chartSpan(range);
      const cut = span === 'reading' ? span : { span, zone, range };
      const series = await repo.series(device, latest, metrics, span, range);
      const uses =
        dataType === 'usage' && quantity === 'level'
          ? await repo.levelUses(device, latest, series('levelMm'), { span, range, zone })
          : [];
      return {
        unit: dataType === 'value' ? units[quantity] : unitOf[dataType],
        history: valuesOf({ device, latest, series, uses, cut }, dataType).map(({ at, value }) => ({
          time: isoTime(at),
          value: value === null ? null : rounded(value),
        })),
      };
    },
  };
}
export type SensorMonitorService = ReturnType<typeof createSensorMonitor>;

interface MonitorSource {
  device: DeviceRow;
  latest: LatestValues;
  series: SeriesOf;
  /** Of a tank's level, where use is asked for. */
  uses: readonly LevelUse[];
  cut: Cut;
}

function valuesOf(said: MonitorSource, dataType: DataType): Values {
  const { latest, series } = said;
  switch (dataType) {
    case 'value':
      return ownValues(said);
    case 'battery': {
      const metric = latest.has('batteryPercent') ? 'batteryPercent' : 'batteryV';
      return series(metric).rows.map((row) => ({ at: row.at, value: batteryOf(metric, row) }));
    }
    case 'flow':
      return flows(said);
    case 'usage':
      return usage(said);
    case 'temperature':
      return means(series('temperatureC'), isPossible('temperatureC'));
    default:
      return dataType satisfies never;
  }
}

function ownValues(said: MonitorSource): Values {
  const { device, series } = said;
  const quantity = quantityOf(device);
  switch (quantity) {
    case 'level': {
      const shape = tankShape(device.settings);
      return series('levelMm').rows.map((row) => ({ at: row.at, value: percentOf(shape, row) }));
    }
    case 'flow':
      return flows(said);
    case 'tension':
      return tensions(series);
    case 'switch':
      // Of an hour or day the state that it ended in: half on is no state.
      return series('switch').rows.map(({ at, lastValue }) => ({
        at,
        value: Number.isNaN(lastValue) ? null : lastValue,
      }));
    default:
      return quantity satisfies never;
  }
}

const means = ({ rows }: RollupSeries, isValid: (value: number) => boolean): Values =>
  rows.map((row) => ({ at: row.at, value: meanOfValid(row, isValid) }));

const flows = ({ device, series, cut }: MonitorSource): Values =>
  metered(device, series, cut)
    .filter(({ litrePerMinute, isInvalid }) => litrePerMinute !== null || isInvalid)
    .map(({ at, litrePerMinute }) => ({ at, value: litrePerMinute }));

function tensions(series: SeriesOf): Values {
  const byTime = new Map<number, (number | null)[]>();
  for (const metric of tensionMetrics)
    for (const { at, value } of means(series(metric), isValidTension))
      byTime.set(at, [...(byTime.get(at) ?? []), value]);
  return [...byTime]
    .toSorted(([a], [b]) => a - b)
    .map(([at, probes]) => ({ at, value: meanTension(probes) }));
}

/** A tank's meter counts where it has one that ever counted, else its level's falls do. */
function usage({ device, latest, series, uses, cut }: MonitorSource): Values {
  const quantity = quantityOf(device);
  const counts = latest.has('pulsesTotal') || latest.has('pulses');
  const isMetered = quantity === 'flow' || (measuresByFlow(device.type, device.settings) && counts);
  if (!isMetered && quantity !== 'level') return [];
  const byLevel = () => litresByLevel(tankShape(device.settings), series('levelMm'), uses);
  const byMeter = () => usedByMeter(metered(device, series, cut));
  const began = meterBegan({ total: series('pulsesTotal'), deltas: series('pulses') });
  const isBoth = isMetered && quantity === 'level' && began !== null;
  const amounts = isBoth ? untilMeter(byLevel(), byMeter(), began) : isMetered ? byMeter() : byLevel();
  return amounts.map(({ at, litres }) => ({ at, value: litres }));
}
