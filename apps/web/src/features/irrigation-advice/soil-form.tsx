import { useQueryClient } from '@tanstack/react-query';
import type { AdviceSettings, GroupAdvice, IrrigationAdvice } from '@headrace/contract/irrigation-advice';
import { defaultSoil, fullMm, soilKinds } from '@headrace/contract/rules/schedule/soil-settings';
import { call } from '../../api/client.ts';
import { DayField } from '../../forms/day-field.tsx';
import { FormSection, NumberField, SelectField, SwitchField, Wide } from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { type RecordForm as Form, useRecordForm } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import { mmText } from './advice-text.ts';
import { adviceQuery } from './advice.queries.ts';
import {
  entriesOf,
  kindOf,
  soilLabels,
  soilOf,
  type SoilValues,
  validateSoil,
  valuesOf,
} from './soil-values.ts';
import classes from './advice.module.css';

interface SoilFormProps {
  advice: IrrigationAdvice;
  /** Null: the farm's, for all groups without their own. */
  group: GroupAdvice | null;
  onClose: () => void;
}

/** Soil, crop, and what the soil lacked on an evening. */
export function SoilForm({ advice, group, onClose }: SoilFormProps) {
  const queryClient = useQueryClient();
  const { farmUID, day } = advice;
  const settings = group?.settings ?? advice.settings;
  const otherwise = (group ? advice.settings.soil : null) ?? defaultSoil;
  const form = useRecordForm({
    draftKey: `advice.${group?.groupUID ?? farmUID}`,
    initial: valuesOf(settings, otherwise),
    version: settings.version,
    validate: (values) => validateSoil(values, day),
    readCurrent: (current) => {
      const record = current as AdviceSettings;
      return { values: valuesOf(record, otherwise), version: record.version };
    },
    save: (values, version = settings.version) =>
      call('PUT /irrigation-advice/settings', {
        body: { farmUID, ...(group && { groupUID: group.groupUID }), version, ...entriesOf(values) },
      }),
    onSaved: () => {
      void queryClient.invalidateQueries({ queryKey: adviceQuery(farmUID).queryKey });
      void queryClient.invalidateQueries({ queryKey: ['advice-ledger', farmUID] });
      toast.success('Saved. The balance follows once the irrigation since then is reckoned.');
      onClose();
    },
  });
  const name = group?.name ?? 'the farm';
  return (
    <>
      <h2 className={classes.name}>Soil and crop of {name}</h2>
      {!group && (
        <p className={classes.note}>
          For all groups that have none of their own. Until then the defaults count.
        </p>
      )}
      <RecordForm
        form={form}
        label={`Soil and crop of ${name}`}
        labels={soilLabels}
        back="/"
        cancel={{ text: 'Cancel', go: onClose }}
      >
        <Soil form={form} isGroup={group !== null} />
        <Known form={form} />
        <Sources form={form} sites={advice.sites} isGroup={group !== null} />
      </RecordForm>
    </>
  );
}

interface PartProps {
  form: Form<SoilValues>;
  isGroup: boolean;
}

function Soil({ form, isGroup }: PartProps) {
  const { field, patch, values } = form;
  return (
    <FormSection title="Soil and crop">
      <Wide>
        <SwitchField
          {...field('isOwn')}
          label={isGroup ? 'Soil and crop of its own' : 'Other than the defaults'}
          hint={
            values.isOwn
              ? `Holds ${mmText(fullMm(soilOf(values)))} for the crop when full`
              : isGroup
                ? 'As the farm’s'
                : 'Grazed pasture on a sandy loam, by FAO-56: 65 mm when full'
          }
        />
      </Wide>
      {values.isOwn && (
        <>
          <SelectField
            name="kind"
            label="Soil"
            hint="Fills in the middle value of FAO-56"
            value={kindOf(values.awcMmPerM)}
            options={[{ value: '', label: 'Another' }, ...soilKinds.map(({ name }) => name)]}
            onChange={(name) => {
              const kind = soilKinds.find((one) => one.name === name);
              if (kind) patch({ awcMmPerM: kind.awcMmPerM });
            }}
            onBlur={() => undefined}
            error={undefined}
          />
          <NumberField {...field('awcMmPerM')} label="Water a metre of soil holds" unit="mm" />
          <NumberField {...field('rootM')} label="Depth of roots" unit="m" />
          <NumberField {...field('kc')} label="Kc" hint="Use of the crop against ET0; pasture 0.95" />
          <NumberField
            {...field('easy')}
            label="Taken without effort"
            unit="%"
            hint="FAO-56, p; pasture 60"
          />
          <NumberField
            {...field('efficiency')}
            label="Efficiency"
            unit="%"
            hint="85 until a bucket test says"
          />
          <NumberField {...field('trigger')} label="Irrigate at" unit="% of full" />
          <NumberField {...field('target')} label="Fill up to" unit="% of full" />
        </>
      )}
    </FormSection>
  );
}

function Known({ form: { field } }: { form: Form<SoilValues> }) {
  return (
    <FormSection title="What the soil lacked">
      <DayField
        {...field('knownDay')}
        label="On the evening of"
        hint="The balance begins there; 60 days ago at most."
      />
      <NumberField
        {...field('knownMm')}
        label="It lacked"
        unit="mm"
        hint="0: it was full, as after rain that ran off."
      />
    </FormSection>
  );
}

function Sources({ form: { field }, sites, isGroup }: PartProps & Pick<IrrigationAdvice, 'sites'>) {
  const options = sites.map(({ uid, name }) => ({ value: uid, label: name }));
  if (isGroup)
    return (
      <FormSection title="Soil probe">
        <SelectField
          {...field('probeUID')}
          label="Soil probe"
          hint="At its kPa it asks for water whatever the balance says."
          options={[{ value: '', label: 'None' }, ...options]}
        />
        <NumberField {...field('refillKpa')} label="Dry at" unit="kPa" />
      </FormSection>
    );
  return (
    <FormSection title="Weather">
      <NumberField
        {...field('usualEt0Mm')}
        label="Usual ET0"
        unit="mm a day"
        hint="Where no forecast told a day’s, and nobody entered it."
      />
      <SelectField
        {...field('rainSiteUID')}
        label="Rain gauge"
        options={[{ value: '', label: 'The first that reports' }, ...options]}
      />
    </FormSection>
  );
}
