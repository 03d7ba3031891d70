import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type AlertTrial, TRIAL_DAYS } from '@headrace/contract/alert-trial';
import type { Timezone } from '@headrace/contract/farms';
import { type AlertKind, alertKindInfo, hasValue } from '@headrace/contract/rules/alerts/alert-kinds';
import { call } from '../../api/client.ts';
import { pointTime } from '../../charts/time-axis.ts';
import { enteredNumber, FormSection, Wide } from '../../forms/fields.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { AlertChart } from './alert-chart.tsx';
import { minutesText, times } from './alert-labels.ts';
import { whyUntried } from './why-untried.ts';
import { type AlertValues, entryOf, validateAlert } from './alert-values.ts';
import classes from './alerts.module.css';

const DAY_MS = 86_400_000;
const PAUSE_MS = 400;

const trialQuery = (farmUID: string, values: AlertValues) =>
  queryOptions({
    // Its name, its people and whether it is on change nothing of what it would have found.
    queryKey: [
      'alert-trial',
      farmUID,
      { ...values, name: '', enabled: true, people: [], escalatePeople: [] },
    ],
    queryFn: async ({ signal }) => {
      const entry = { ...entryOf(values), name: 'Trial', people: [], escalation: null };
      const found = await call('POST /alert/trial', { body: { farmUID, ...entry }, signal });
      return { ...found, at: Date.now() };
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

interface TrialProps {
  farmUID: string;
  zone: Timezone | undefined;
  values: AlertValues;
  onHold: (minutes: number) => void;
  onValue: (value: number) => void;
}

/** What the alert as it stands would have told in 30 days, over what was measured; a longer hold, where that is quieter. */
export function Trial({ farmUID, zone, values, onHold, onValue }: TrialProps) {
  const [settled] = useDebouncedValue(values, PAUSE_MS);
  const isValid = Object.keys(validateAlert({ ...settled, name: 'Trial' })).length === 0;
  const query = useQuery({ ...trialQuery(farmUID, settled), enabled: isValid });
  if (!isValid) return null;
  return (
    <FormSection title={`The last ${TRIAL_DAYS} days`}>
      <Wide>
        <StateView
          query={query}
          failed="It couldn't be tried"
          skeleton={<Skeleton blocks={1} blockPx={260} />}
        >
          {(trial) => (
            <>
              {trial.chart && <Slider values={values} onValue={onValue} />}
              <Found kind={settled.kind} trial={trial} zone={zone} onHold={onHold} />
            </>
          )}
        </StateView>
      </Wide>
    </FormSection>
  );
}

/** The limit, to be moved over what was measured: the trial follows. */
function Slider({ values, onValue }: Pick<TrialProps, 'values' | 'onValue'>) {
  const { kind, condition } = values;
  const value = enteredNumber(values.value);
  const of = alertKindInfo[kind].value;
  if (of === null || value === null || !hasValue(kind, condition)) return null;
  return (
    <label className={classes.slider}>
      <span>
        Limit: {value} {of.unit}
      </span>
      <input
        type="range"
        min={of.min}
        max={of.max}
        step={1}
        value={value}
        onChange={({ currentTarget }) => onValue(Number(currentTarget.value))}
      />
    </label>
  );
}

interface FoundProps {
  kind: AlertKind;
  trial: AlertTrial & { at: number };
  zone: Timezone | undefined;
  onHold: (minutes: number) => void;
}

function Found({ kind, trial, zone, onHold }: FoundProps) {
  const { isPossible, told, short, byHold, tried, of, heard, chart } = trial;
  if (!isPossible) return <p className={classes.facts}>{whyUntried[kind]}</p>;
  if (of === 0) return <p className={classes.facts}>It would watch nothing: the farm has no such device.</p>;
  if (heard === 0)
    return (
      <p className={classes.facts}>
        {of === 1 ? 'The device' : `None of the ${of} devices`} {of === 1 ? "hasn't" : 'has'} said anything in
        the last {TRIAL_DAYS} days: what this would have told isn&apos;t known.
      </p>
    );
  const quieter = byHold.find((one) => one.told <= told / 2);
  return (
    <>
      <p className={classes.cause}>
        In the last {TRIAL_DAYS} days this would have told you {told === 0 ? 'nothing' : times(told)}
        {short > 0 && `; ${times(short)} it was over within 10 minutes`}.
        {tried < of && ` Tried on the first ${tried} of ${of} devices: the others have too many readings.`}
      </p>
      <Known trial={trial} zone={zone} />
      {told > 0 && quieter && (
        <p className={classes.answer}>
          With a hold of {minutesText(quieter.holdMinutes)}:{' '}
          {quieter.told === 0 ? 'never' : times(quieter.told)}.{' '}
          <PlainButton onClick={() => onHold(quieter.holdMinutes)}>
            Wait {minutesText(quieter.holdMinutes)} first
          </PlainButton>
        </p>
      )}
      {chart && zone && (
        <>
          <h3 className={classes.subtitle}>{chart.name}</h3>
          <AlertChart
            chart={chart}
            zone={zone}
            from={trial.at - TRIAL_DAYS * DAY_MS}
            to={trial.at}
            label={`${chart.name} in the last ${TRIAL_DAYS} days`}
            fileName={`${chart.name} trial`}
          />
        </>
      )}
    </>
  );
}

/** What wasn't heard can't have told: said where it is more than a day, or some devices. */
function Known({ trial: { heard, tried, since, at }, zone }: Omit<FoundProps, 'kind' | 'onHold'>) {
  const isShorter = since !== null && Date.parse(since) > at - (TRIAL_DAYS - 1) * DAY_MS;
  return (
    <>
      {heard < tried && (
        <p className={classes.facts}>
          {tried - heard} of the {tried} devices said nothing in this time: of them it isn&apos;t known.
        </p>
      )}
      {isShorter && zone && (
        <p className={classes.facts}>Readings go back to {pointTime(zone, Date.parse(since), false)} only.</p>
      )}
    </>
  );
}
