import { ClockField } from '../../forms/clock-field.tsx';
import { DayField } from '../../forms/day-field.tsx';
import { FormSection, NumberField, SelectField, TextField, Wide } from '../../forms/fields.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { fieldsOf } from './list-fields.ts';
import { newRestriction, type RestrictionValues, type TakeValues } from './take-values.ts';
import classes from './takes.module.css';

interface RestrictionFieldsProps {
  form: RecordForm<TakeValues>;
  /** YYYY-MM-DD */
  today: string;
}

const kinds = [
  { value: 'cease', label: 'Nothing may be taken' },
  { value: 'rate', label: 'A part of the rate' },
  { value: 'volume', label: 'A part of the day’s volume' },
] as const;

/** Restrictions that the council has called. */
export function RestrictionFields({ form, today }: RestrictionFieldsProps) {
  const { restrictions } = form.values;
  const add = () => form.patch({ restrictions: [...restrictions, newRestriction(today)] });
  return (
    <>
      {restrictions.map((_, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a line has nothing else of its own
        <Restriction key={index} form={form} index={index} />
      ))}
      <p className={classes.ways}>
        <PlainButton onClick={add}>Add a restriction</PlainButton>
        <span className={classes.dim}>
          What the council called for some time. It sends nothing and stops nobody: it is what the figures are
          judged by.
        </span>
      </p>
      {form.error('restrictions') && <p role="alert">{form.error('restrictions')}</p>}
    </>
  );
}

function Restriction({ form, index }: Pick<RestrictionFieldsProps, 'form'> & { index: number }) {
  const { field, change, remove } = fieldsOf(form, 'restrictions', index, `restriction${index}`);
  const one = form.values.restrictions[index];
  if (!one) return null;
  return (
    <FormSection title={`Restriction ${index + 1}`}>
      <SelectField
        {...field('kind')}
        label="What is left"
        options={kinds}
        onChange={(kind) => change({ kind: kind as RestrictionValues['kind'] })}
      />
      {one.kind === 'cease' ? <span /> : <NumberField {...field('percent')} label="Left" unit="%" required />}
      <DayField {...field('fromDay')} label="From" required />
      <ClockField {...field('fromClock')} label="From, on the farm’s clock" />
      <DayField {...field('toDay')} label="Until" required />
      <ClockField {...field('toClock')} label="Until, on the farm’s clock" />
      <Wide>
        <TextField {...field('note')} label="Note" maxLength={200} />
      </Wide>
      <Wide>
        <PlainButton onClick={remove} label={`Remove restriction ${index + 1}`}>
          Remove this restriction
        </PlainButton>
      </Wide>
    </FormSection>
  );
}
