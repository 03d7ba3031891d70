import type { Api } from '@headrace/contract/api';
import { headlineOf, type HeadlineConfigs, type Headline, type HeadlineOf } from './headline-configs.ts';
import { Field } from './headline-field.tsx';

export type Reported = Api['GET /headline/metrics']['reply']['metrics'][number];

/** A headline of what a sensor has reported, the first where none that there is was chosen; `missing`: why there is none. */
export function completeMetric(
  headline: HeadlineOf<'Metric'>,
  { data, isError }: { data?: readonly Reported[] | undefined; isError: boolean },
): { draft: Headline; missing: string | null } {
  const { sensor, metric } = headline.configs;
  const isThere = data?.some((one) => one.sensorUid === sensor && one.metric === metric);
  if (isThere) return { draft: headline, missing: null };
  const first = data?.find((one) => one.metric === metric) ?? data?.[0];
  if (first) return { draft: headlineOf('Metric', chosen(first)), missing: null };
  if (data) return { draft: headline, missing: 'No sensor of this farm has reported anything yet.' };
  return {
    draft: headline,
    missing: isError ? "What sensors have reported couldn't be loaded." : 'Loading…',
  };
}

const chosen = ({ sensorUid, metric }: Reported): HeadlineConfigs['Metric'] => ({
  sensor: sensorUid,
  metric,
});

/** Values of one name and unit are one choice, whichever sensor reports them. */
const keyOf = ({ metric, label, unit }: Reported) => [metric, label, unit].join('|');

interface MetricOptionsProps {
  configs: HeadlineConfigs['Metric'];
  metrics: readonly Reported[];
  change: (option: HeadlineConfigs['Metric']) => void;
}

/** Which value; and of which sensor, where several report it. */
export function MetricOptions({ configs, metrics, change }: MetricOptionsProps) {
  const current = metrics.find(
    ({ sensorUid, metric }) => sensorUid === configs.sensor && metric === configs.metric,
  );
  if (!current) return null;
  const kinds = new Map(metrics.map((one) => [keyOf(one), one]));
  const alike = metrics.filter((one) => keyOf(one) === keyOf(current));
  const choose = (found: Reported | undefined) => found && change(chosen(found));
  return (
    <>
      <Field
        label="Value"
        value={keyOf(current)}
        data={[...kinds].map(([value, { label, unit }]) => ({
          value,
          label: unit ? `${label}, ${unit}` : label,
        }))}
        onChange={(key) => choose(metrics.find((one) => keyOf(one) === key))}
      />
      {alike.length > 1 ? (
        <Field
          label="Sensor"
          value={current.sensorUid}
          data={alike.map(({ sensorUid, sensorName }) => ({ value: sensorUid, label: sensorName }))}
          onChange={(uid) => choose(alike.find(({ sensorUid }) => sensorUid === uid))}
        />
      ) : (
        <p>{`Reported by ${current.sensorName} alone.`}</p>
      )}
    </>
  );
}
