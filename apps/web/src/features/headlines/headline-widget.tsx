import { useQuery } from '@tanstack/react-query';
import type { HeadlineType } from '@headrace/contract/default-settings';
import type { FarmCard, Timezone } from '@headrace/contract/farms';
import { dayStart, farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { useNow } from '../../ui/clock.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { useChartZone } from '../../time-range/farm-zone.ts';
import { farmDay, lastDays } from '../../time-range/period.ts';
import { flowMetersQuery } from '../flow/flow.queries.ts';
import { soilSitesQuery } from '../soil-moisture/soil.queries.ts';
import { tanksQuery } from '../tanks/tanks.queries.ts';
import {
  accumulatedFact,
  flowFact,
  forecastFact,
  ioFact,
  metricFact,
  rainFact,
  tankFact,
  tankFlowFact,
  temperatureFact,
} from './headline-view-model.ts';
import type { Headline, HeadlineOf } from './headline-configs.ts';
import { FactTile, GONE, statusOf, type FactTileProps, type Leads } from './headline-tile.tsx';
import { kindLabels, portText, sumLabels } from './headline-labels.ts';
import {
  accumulatedFlowQuery,
  ioQuery,
  meterFlowQuery,
  metricQuery,
  rainForecastQuery,
  rainQuery,
  tankFlowQuery,
  tankLevelQuery,
  temperatureQuery,
} from './headlines.queries.ts';
import { LocalTime } from './local-time.tsx';

export interface WidgetProps<T extends HeadlineType> {
  farm: FarmCard;
  configs: HeadlineOf<T>['configs'];
  lead?: Leads | undefined;
}

/** What a slot of the row shows. */
export function HeadlineWidget({
  headline,
  ...rest
}: { headline: Headline } & Omit<WidgetProps<'None'>, 'configs'>) {
  switch (headline.type) {
    case 'Temperature':
      return <Temperature {...rest} configs={headline.configs} />;
    case 'RainfallAccumulated':
      return <Rain {...rest} configs={headline.configs} />;
    case 'RainForecast':
      return <RainForecast {...rest} configs={headline.configs} />;
    case 'TankLevel':
      return <TankLevel {...rest} configs={headline.configs} />;
    case 'TankFlow':
      return <TankFlow {...rest} configs={headline.configs} />;
    case 'Flow':
      return <MeterFlow {...rest} configs={headline.configs} />;
    case 'AccumulatedFlow':
      return <AccumulatedFlow {...rest} configs={headline.configs} />;
    case 'IO':
      return <Io {...rest} configs={headline.configs} />;
    case 'Metric':
      return <MetricNow {...rest} configs={headline.configs} />;
    case 'LocalTime':
      return <FarmTime farm={rest.farm} />;
    case 'Empty':
    case 'None':
      return null;
    default:
      return headline satisfies never;
  }
}

/** The farm's zone, and its day. */
function useFarmDay(farm: FarmCard): { zone: Timezone; now: number; today: string } {
  const zone = useChartZone(farm._id);
  const now = useNow();
  return { zone, now, today: farmDay(zone, now) };
}

/** That hour of the farm's day, epoch ms; also where the clock was moved before it. */
function hourOfToday(zone: Timezone, now: number, hour: number): number {
  const midnight = dayStart(zone, now);
  const guess = midnight + hour * 3_600_000;
  return guess + (farmOffsetSeconds(zone, midnight) - farmOffsetSeconds(zone, guess)) * 1000;
}

function useSite(farmUID: string, id: string): { name: string; absent: string | undefined } {
  const { data } = useQuery(soilSitesQuery(farmUID));
  const site = data?.find((one) => one.id === id);
  const absent = id === '' ? 'No soil site is chosen.' : data && !site ? GONE : undefined;
  return { name: site?.name ?? 'Soil site', absent };
}

function Temperature({ farm, configs, lead }: WidgetProps<'Temperature'>) {
  const { zone, today } = useFarmDay(farm);
  const { name, absent } = useSite(farm._id, configs.site);
  return (
    <FactTile
      query={useQuery(temperatureQuery(farm._id, today, configs))}
      fact={(reply, now) =>
        temperatureFact(name, configs, reply, { now, askedFor: hourOfToday(zone, now, configs.time) })
      }
      {...{ zone, name, absent, lead }}
      detail={kindLabels.Temperature}
    />
  );
}

function Rain({ farm, configs, lead }: WidgetProps<'RainfallAccumulated'>) {
  const { zone, today } = useFarmDay(farm);
  const { name, absent } = useSite(farm._id, configs.site);
  const [startDate] = lastDays(today, configs.days + 1);
  return (
    <FactTile
      query={useQuery(rainQuery(farm._id, today, configs.site, startDate))}
      fact={(reply) => rainFact(name, configs, reply)}
      {...{ zone, name, absent, lead }}
      detail={kindLabels.RainfallAccumulated}
    />
  );
}

function RainForecast({ farm, configs, lead }: WidgetProps<'RainForecast'>) {
  const { zone, today } = useFarmDay(farm);
  return (
    <FactTile
      query={useQuery(rainForecastQuery(farm, zone, today, configs))}
      fact={(reply) => forecastFact(configs, reply)}
      {...{ zone, lead }}
      name={kindLabels.RainForecast}
      detail=""
    />
  );
}

/** Its name is of the farm's list, which other parts of the page have asked for: a tile whose own call fails keeps it. */
function useTank(farm: FarmCard, sensor: string) {
  const { data } = useQuery({ ...tanksQuery(farm._id), enabled: false });
  return {
    name: data?.find(({ _id }) => _id === sensor)?.name ?? 'Tank',
    absent: sensor === '' ? 'No tank is chosen.' : undefined,
  };
}

function useMeter(farm: FarmCard, sensor: string) {
  const { data } = useQuery({ ...flowMetersQuery(farm._id), enabled: false });
  return {
    name: data?.find(({ _id }) => _id === sensor)?.name ?? 'Flow meter',
    absent: sensor === '' ? 'No flow meter is chosen.' : undefined,
  };
}

function TankLevel({ farm, configs, lead }: WidgetProps<'TankLevel'>) {
  return (
    <FactTile
      query={useQuery(tankLevelQuery(configs.sensor))}
      fact={(reply) => tankFact(configs, reply)}
      zone={useChartZone(farm._id)}
      {...useTank(farm, configs.sensor)}
      detail={kindLabels.TankLevel}
      lead={lead}
    />
  );
}

const tankFlowFailed: FactTileProps<unknown>['failed'] = (error) =>
  `Failed to fetch tank flow info. (${statusOf(error)})`;

function TankFlow({ farm, configs, lead }: WidgetProps<'TankFlow'>) {
  const { zone, today } = useFarmDay(farm);
  return (
    <FactTile
      query={useQuery(tankFlowQuery(today, configs))}
      fact={(reply) => tankFlowFact(configs, reply)}
      zone={zone}
      {...useTank(farm, configs.sensor)}
      detail={sumLabels[configs.sumType]}
      failed={tankFlowFailed}
      lead={lead}
    />
  );
}

function MeterFlow({ farm, configs, lead }: WidgetProps<'Flow'>) {
  return (
    <FactTile
      query={useQuery(meterFlowQuery(configs.sensor))}
      fact={(reply) => flowFact(configs, reply)}
      zone={useChartZone(farm._id)}
      {...useMeter(farm, configs.sensor)}
      detail={kindLabels.Flow}
      lead={lead}
    />
  );
}

function AccumulatedFlow({ farm, configs, lead }: WidgetProps<'AccumulatedFlow'>) {
  const { zone, today } = useFarmDay(farm);
  return (
    <FactTile
      query={useQuery(accumulatedFlowQuery(today, configs))}
      fact={(reply) => accumulatedFact(configs, reply)}
      zone={zone}
      {...useMeter(farm, configs.sensor)}
      detail={kindLabels.AccumulatedFlow}
      lead={lead}
    />
  );
}

function Io({ farm, configs, lead }: WidgetProps<'IO'>) {
  return (
    <FactTile
      query={useQuery(ioQuery(farm._id))}
      fact={(reply) => ioFact(configs, reply)}
      zone={useChartZone(farm._id)}
      name={portText(configs.port)}
      detail={kindLabels.IO}
      lead={lead}
    />
  );
}

function MetricNow({ farm, configs, lead }: WidgetProps<'Metric'>) {
  const isChosen = configs.sensor !== '' && configs.metric !== '';
  return (
    <FactTile
      query={useQuery(metricQuery(configs))}
      fact={metricFact}
      zone={useChartZone(farm._id)}
      name="Sensor"
      detail={kindLabels.Metric}
      absent={isChosen ? undefined : 'No value is chosen.'}
      lead={lead}
    />
  );
}

const FarmTime = ({ farm }: { farm: FarmCard }) => <LocalTime zone={useFarmZone(farm._id)} />;
