import type { MeterChoice } from '@headrace/contract/water-takes';
import { ClockField } from '../../forms/clock-field.tsx';
import { DayField } from '../../forms/day-field.tsx';
import { FormSection, NumberField, SelectField, SwitchField, TextField, Wide } from '../../forms/fields.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { fieldsOf } from './list-fields.ts';
import { metricLabels } from './take-labels.ts';
import { newMeter, type TakeValues } from './take-values.ts';
import classes from './takes.module.css';

interface MeterFieldsProps {
  form: RecordForm<TakeValues>;
  choices: readonly MeterChoice[];
  /** YYYY-MM-DD */
  today: string;
}

const MOST = 10;

/** The meters of a take: one after the other at a place, or several places. */
export function MeterFields({ form, choices, today }: MeterFieldsProps) {
  const { meters } = form.values;
  const unused = choices.find(({ uid }) => meters.every(({ deviceUID }) => deviceUID !== uid));
  const add = () => form.patch({ meters: [...meters, newMeter(unused, today)] });
  return (
    <>
      {meters.map((meter, index) => (
        <Meter key={meter.uid || `new ${index}`} {...{ form, choices, index }} />
      ))}
      <p className={classes.ways}>
        {meters.length < MOST && (
          <PlainButton onClick={add}>{meters.length === 0 ? 'Add a meter' : 'Add another meter'}</PlainButton>
        )}
        <span className={classes.dim}>
          After a swap both stay: the old one with its end, the new one from then on at the same place.
        </span>
      </p>
      {form.error('meters') && <p role="alert">{form.error('meters')}</p>}
    </>
  );
}

function Meter({ form, choices, index }: Omit<MeterFieldsProps, 'today'> & { index: number }) {
  const { field, change, remove } = fieldsOf(form, 'meters', index, `meter${index}`);
  const meter = form.values.meters[index];
  if (!meter) return null;
  const known = choices.map(({ uid, name }) => ({ value: uid, label: name }));
  const isGone = meter.deviceUID !== '' && known.every(({ value }) => value !== meter.deviceUID);
  const options = [
    ...(meter.deviceUID === '' ? [{ value: '', label: 'Choose a meter' }] : []),
    ...known,
    ...(isGone ? [{ value: meter.deviceUID, label: 'A sensor that was deleted' }] : []),
  ];
  const choose = (uid: string) => {
    const choice = choices.find((one) => one.uid === uid);
    change({ deviceUID: uid, ...(choice && { metric: choice.metric, m3PerUnit: choice.m3PerUnit }) });
  };
  return (
    <FormSection title={`Meter ${index + 1}`}>
      <SelectField
        {...field('deviceUID')}
        label="Sensor"
        hint={`Counts by ${metricLabels[meter.metric]}.`}
        options={options}
        onChange={choose}
        required
      />
      <NumberField {...field('m3PerUnit')} label="One count is" unit="m³" hint="0.001 is a litre" required />
      <TextField
        {...field('site')}
        label="Place"
        hint="As the council names it: ask for it"
        maxLength={60}
        required
      />
      <TextField
        {...field('measure')}
        label="What is measured"
        hint="As the council names it"
        maxLength={60}
        required
      />
      <DayField {...field('startDay')} label="In place from" required />
      <ClockField {...field('startClock')} label="At, on the farm’s clock" />
      <DayField {...field('endDay')} label="Taken out" hint="Empty: it is in place" />
      {meter.endDay === '' ? <span /> : <ClockField {...field('endClock')} label="Taken out at" />}
      <DayField {...field('verifiedOn')} label="Verified on" />
      <DayField {...field('nextVerification')} label="Next verification" hint="Every five years" />
      <SelectField
        {...field('pipe')}
        label="Pipe"
        hint="How far a meter may be wrong by law"
        options={[
          { value: 'full', label: 'Full: ±5 %' },
          { value: 'open', label: 'Open or partly full: ±10 %' },
        ]}
        onChange={(pipe) => change({ pipe: pipe === 'open' ? 'open' : 'full' })}
      />
      <SwitchField
        {...field('isByVolume')}
        label="Logs by volume"
        hint="It writes when so much has gone through, and is heard each hour at least"
      />
      <Wide>
        <PlainButton onClick={remove} label={`Remove meter ${index + 1}`}>
          Remove this meter
        </PlainButton>
      </Wide>
    </FormSection>
  );
}
