import { useQueryClient } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import type { MeterChoice, WaterTake } from '@headrace/contract/water-takes';
import { call } from '../../api/client.ts';
import { serverNow } from '../../api/server-time.ts';
import { DayField } from '../../forms/day-field.tsx';
import { AreaField, FormSection, NumberField, TextField, Wide } from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { farmDay } from '../../time-range/period.ts';
import { toast } from '../../ui/toasts.ts';
import { MeterFields } from './meter-fields.tsx';
import { RestrictionFields } from './restriction-fields.tsx';
import {
  bodyOf,
  emptyTake,
  newMeter,
  takeLabels,
  type TakeValues,
  validateTake,
  valuesOf,
} from './take-values.ts';
import { takeKeys } from './takes.queries.ts';

interface TakeFormProps {
  farmUID: string;
  /** null: a new one. */
  take: WaterTake | null;
  choices: readonly MeterChoice[];
  zone: Timezone;
  onSaved: (take: WaterTake) => void;
  onClose: () => void;
}

/** A consent, what it allows, and the meters that measure it. */
export function TakeForm({ farmUID, take, choices, zone, onSaved, onClose }: TakeFormProps) {
  const queryClient = useQueryClient();
  const today = farmDay(zone, serverNow());
  const form = useRecordForm<TakeValues, WaterTake>({
    draftKey: `water-take.${take?.uid ?? `new.${farmUID}`}`,
    initial: take ? valuesOf(take, zone) : { ...emptyTake, meters: [newMeter(choices[0], today)] },
    version: take?.version,
    validate: (values) => validateTake(values, zone),
    readCurrent: (current) => {
      const newer = current as WaterTake;
      return { values: valuesOf(newer, zone), version: newer.version };
    },
    save: (values, version) => {
      const body = { farmUID, ...bodyOf(values, zone) };
      return take
        ? call('PUT /water-take', { body: { ...body, uid: take.uid, version: version ?? take.version } })
        : call('POST /water-take', { body });
    },
    onSaved: (saved) => {
      for (const queryKey of takeKeys(farmUID)) void queryClient.invalidateQueries({ queryKey });
      toast.success('The water take is saved.');
      onSaved(saved);
    },
  });
  const { field } = form;
  return (
    <RecordForm
      form={form}
      label="Water take"
      labels={takeLabels}
      back="/"
      cancel={{ text: 'Cancel', go: onClose }}
    >
      <FormSection title="Consent">
        <TextField
          {...field('consentNo')}
          label="Consent number"
          hint="A take that gives all its water back to where it came from needs no such records (regulation 4(2)). If your council allowed you records by the week (regulation 9), ask whether that still holds."
          maxLength={60}
          required
        />
        <TextField
          {...field('source')}
          label="Source"
          hint="Bore or river, as the consent names it"
          maxLength={120}
        />
        <TextField {...field('holder')} label="Holder" maxLength={120} />
        <TextField {...field('council')} label="Council" maxLength={120} />
        <DayField {...field('validFrom')} label="Valid from" />
        <DayField {...field('validTo')} label="Valid until" />
      </FormSection>
      <FormSection title="What may be taken">
        <NumberField
          {...field('maxLps')}
          label="Highest rate"
          unit="L/s"
          hint="Judged by the quarter of an hour"
        />
        <NumberField {...field('maxM3Day')} label="A day" unit="m³" />
        <NumberField
          {...field('maxM37Day')}
          label="In 7 days"
          unit="m³"
          hint="Of any seven days that follow each other"
        />
        <NumberField {...field('maxM3Year')} label="A water year" unit="m³" hint="1 July to 30 June" />
        <Wide>
          <AreaField
            {...field('restrictionNote')}
            label="Conditions"
            hint="Minimum flows and bands, as the consent says them"
          />
        </Wide>
      </FormSection>
      <MeterFields form={form} choices={choices} today={today} />
      <RestrictionFields form={form} today={today} />
    </RecordForm>
  );
}
