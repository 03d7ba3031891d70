import { useQuery } from '@tanstack/react-query';
import type { FarmCard } from '@headrace/contract/farms';
import {
  flowDays,
  headlineRanges,
  ioPorts,
  metricsOf,
  tankFlowSums,
  tankUnits,
} from '@headrace/contract/rules/headline-options';
import { flowMetersQuery } from '../flow/flow.queries.ts';
import { soilSitesQuery } from '../soil-moisture/soil.queries.ts';
import { byName } from '../tanks/tank-view-model.ts';
import { tanksQuery } from '../tanks/tanks.queries.ts';
import { flowUnits, headlineOf, type Headline } from './headline-configs.ts';
import { type Choice, Field } from './headline-field.tsx';
import {
  daysAheadText,
  daysBackText,
  flowDayLabels,
  flowUnitLabels,
  hourLabel,
  metricUnits,
  portText,
  sumLabels,
} from './headline-labels.ts';
import { completeMetric, MetricOptions, type Reported } from './metric-options.tsx';
import { ioQuery, metricsQuery } from './headlines.queries.ts';

type Of = 'tank' | 'meter' | 'site';

const hasSensor: Partial<Record<Headline['type'], Of>> = {
  Temperature: 'site',
  RainfallAccumulated: 'site',
  TankLevel: 'tank',
  TankFlow: 'tank',
  Flow: 'meter',
  AccumulatedFlow: 'meter',
};
const labels: Record<Of, { label: string; none: string }> = {
  tank: { label: 'Tank', none: 'This farm has no tank with a level sensor.' },
  meter: { label: 'Flow meter', none: 'This farm has no flow meter.' },
  site: { label: 'Site', none: 'This farm has no soil moisture site.' },
};

export interface Choices {
  lists: Record<Of, readonly Choice[]>;
  ports: readonly Choice[];
  /** What sensors have reported. */
  metrics: readonly Reported[];
  /** The headline with a sensor chosen where it needs one; `missing`: why it can't be saved. */
  complete: (headline: Headline) => { draft: Headline; missing: string | null };
}

/** The tanks, meters and sites that there are to choose from. */
export function useChoices({ _id: farmUID }: FarmCard): Choices {
  const tanks = useQuery(tanksQuery(farmUID));
  const meters = useQuery(flowMetersQuery(farmUID));
  const sites = useQuery(soilSitesQuery(farmUID));
  const titles = useQuery(ioQuery(farmUID)).data?.titles ?? {};
  const lists = {
    tank: byName(tanks.data ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
    meter: (meters.data ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
    site: (sites.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  };
  const queries = { tank: tanks, meter: meters, site: sites };
  const reported = useQuery(metricsQuery(farmUID));
  const complete = (headline: Headline) => {
    if (headline.type === 'Metric') return completeMetric(headline, reported);
    const of = hasSensor[headline.type];
    if (of === undefined) return { draft: headline, missing: null };
    const { data, isError } = queries[of];
    const [first] = lists[of];
    if (!first) {
      const missing = data
        ? labels[of].none
        : isError
          ? `${labels[of].label}s couldn't be loaded.`
          : 'Loading…';
      return { draft: headline, missing };
    }
    const id = sensorOf(headline);
    const isThere = lists[of].some(({ value }) => value === id);
    return { draft: isThere ? headline : withSensor(headline, first.value), missing: null };
  };
  const ports = ioPorts.map((port) => {
    const title = titles[port];
    const text = portText(port);
    return { value: port, label: title && title !== text ? `${text}: ${title}` : text };
  });
  return { lists, ports, metrics: reported.data ?? [], complete };
}

const sensorOf = ({ configs }: Headline): string =>
  'site' in configs ? configs.site : 'sensor' in configs ? configs.sensor : '';
const withSensor = ({ type, configs }: Headline, id: string): Headline =>
  headlineOf(type, { ...configs, [hasSensor[type] === 'site' ? 'site' : 'sensor']: id });

const numbers = ({ min, max }: { min: number; max: number }, text: (n: number) => string): Choice[] =>
  Array.from({ length: max - min + 1 }, (_, index) => ({
    value: String(min + index),
    label: text(min + index),
  }));
const hours = numbers(headlineRanges.time, hourLabel);
const daysBack = numbers(headlineRanges.rainDaysBack, daysBackText);
const daysAhead = numbers(headlineRanges.forecastDays, daysAheadText);

export interface HeadlineOptionsProps {
  headline: Headline;
  choices: Choices;
  onChange: (headline: Headline) => void;
}

/** The options of a headline's kind. */
export function HeadlineOptions({ headline, choices, onChange }: HeadlineOptionsProps) {
  const { type, configs } = headline;
  const change = (option: object) => onChange(headlineOf(type, { ...configs, ...option }));
  const of = hasSensor[type];
  return (
    <>
      {of && choices.lists[of].length > 0 && (
        <Field
          label={labels[of].label}
          value={sensorOf(headline)}
          data={choices.lists[of]}
          onChange={(id) => onChange(withSensor(headline, id))}
        />
      )}
      <KindOptions headline={headline} choices={choices} change={change} />
    </>
  );
}

interface KindOptionsProps {
  headline: Headline;
  choices: Choices;
  change: (option: object) => void;
}

function KindOptions({ headline, choices, change }: KindOptionsProps) {
  switch (headline.type) {
    case 'Temperature':
      return (
        <Field
          label="Time of day"
          value={String(headline.configs.time)}
          data={hours}
          onChange={(time) => change({ time: Number(time) })}
        />
      );
    case 'RainfallAccumulated':
    case 'RainForecast':
      return (
        <Field
          label="Days"
          value={String(headline.configs.days)}
          data={headline.type === 'RainForecast' ? daysAhead : daysBack}
          onChange={(days) => change({ days: Number(days) })}
        />
      );
    case 'TankLevel':
      return (
        <Field
          label="Unit"
          value={headline.configs.unit}
          data={tankUnits.map((unit) => ({ value: unit, label: unit }))}
          onChange={(unit) => change({ unit })}
        />
      );
    case 'TankFlow': {
      const { sumType, metric } = headline.configs;
      return (
        <>
          <Field
            label="Number"
            value={sumType}
            data={tankFlowSums.map((sum) => ({ value: sum, label: sumLabels[sum] }))}
            onChange={(next) => change({ sumType: next })}
          />
          <Field
            label="Unit"
            value={metric}
            data={metricsOf[sumType].map((one) => ({ value: one, label: metricUnits[one].unit }))}
            onChange={(next) => change({ metric: next })}
          />
        </>
      );
    }
    case 'Flow':
      return (
        <Field
          label="Unit"
          value={headline.configs.unit}
          data={flowUnits.map((unit) => ({ value: unit, label: flowUnitLabels[unit].unit }))}
          onChange={(unit) => change({ unit })}
        />
      );
    case 'AccumulatedFlow':
      return (
        <Field
          label="Days"
          value={headline.configs.days}
          data={flowDays.map((days) => ({ value: days, label: flowDayLabels[days] }))}
          onChange={(days) => change({ days })}
        />
      );
    case 'IO':
      return (
        <Field
          label="Input or relay"
          value={headline.configs.port}
          data={choices.ports}
          onChange={(port) => change({ port })}
        />
      );
    case 'Metric':
      return <MetricOptions configs={headline.configs} metrics={choices.metrics} change={change} />;
    case 'LocalTime':
    case 'Empty':
    case 'None':
      return null;
    default:
      return headline satisfies never;
  }
}
