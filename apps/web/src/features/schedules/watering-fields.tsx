import type { WaterApplication } from '@headrace/contract/farms';
import { DAY_MINUTES, LONGEST_CYCLE, ROUND_MINUTES } from '@headrace/contract/rules/schedule/plan';
import { depthOf, minutesOf } from '@headrace/contract/rules/water-application';
import {
  type EnteredNumber,
  FormSection,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
  Wide,
} from '../../forms/fields.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import { TEMPLATE_NAME_MAX } from '@headrace/contract/limits';
import { ClockField } from '../../forms/clock-field.tsx';
import { validateWatering } from './validate-template.ts';
import type { TemplateValues } from './template-values.ts';

interface Props {
  form: RecordForm<TemplateValues>;
  /** The farm's: by it minutes and depth follow from each other. */
  water: WaterApplication;
}

/** Name, and how each sprinkler waters. */
export function WateringFields({ form, water }: Props) {
  const { field, patch, values } = form;
  const hasLimits =
    values.maxLps !== '' || values.windows.length + values.avoid.length + values.mains.length > 0;
  return (
    <FormSection>
      <Wide>
        <TextField {...field('name')} label="Name" required maxLength={TEMPLATE_NAME_MAX} />
      </Wide>
      <NumberField
        {...field('duration')}
        label="Duration"
        unit="min"
        required
        isWhole
        onChange={(entered) => patch(withMinutes(water, entered))}
      />
      <NumberField
        {...field('wal')}
        label="Water application"
        unit="mm"
        required
        onChange={(entered) => patch(withMillimetres(water, entered))}
      />
      <ClockField {...field('start')} label="Start" required />
      <SelectField {...field('round')} label="Rounds" options={rounds} />
      <SwitchField {...field('windy')} label="Windy" hint="Neighbours don't water one after the other." />
      <SwitchField
        {...field('leveling')}
        label="Leveling"
        hint={
          hasLimits
            ? 'Without effect within limits: there each waters as soon as there is flow for it.'
            : 'Spare minutes are shared out between waterings.'
        }
      />
    </FormSection>
  );
}

const rounds = [
  { value: '', label: 'Daily, or every 2 days by need' },
  { value: String(LONGEST_CYCLE), label: 'Every 2 days' },
  ...ROUND_MINUTES.toReversed().map((minutes) => ({
    value: String(minutes),
    label: `${DAY_MINUTES / minutes} a day, every ${minutes} mins`,
  })),
];

/** Minutes were entered: the depth follows, unless there is nothing to reckon with. */
function withMinutes(water: WaterApplication, duration: EnteredNumber): Partial<TemplateValues> {
  if (validateWatering({ duration })) return { duration };
  return { duration, wal: depthOf(water, Number(duration)) };
}

/** The depth was entered: the minutes follow. */
function withMillimetres(water: WaterApplication, wal: EnteredNumber): Partial<TemplateValues> {
  if (validateWatering({ wal })) return { wal };
  return { wal, duration: minutesOf(water, Number(wal)) };
}
