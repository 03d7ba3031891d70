import { useQuery } from '@tanstack/react-query';
import {
  type AlertClass,
  alertClasses,
  type AlertKind,
  alertKindInfo,
  alertKinds,
  hasHold,
  hasValue,
  isOfFarm,
  usualClear,
  type WatchedDevice,
} from '@headrace/contract/rules/alerts/alert-kinds';
import { canWatch } from '@headrace/contract/rules/alerts/watched-devices';
import {
  FieldGroup,
  FormSection,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
  Wide,
} from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import type { RecordForm as Form } from '../../forms/use-record-form.ts';
import { type AlertValues, alertFieldLabels, entryOf, newAlert } from './alert-values.ts';
import { alertClassLabels } from '../../device-records/open-alerts.ts';
import { alertSentence, clearText, conditionLabels, deviceLabels } from './alert-labels.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { watchableQuery } from './alerts.queries.ts';
import { DeviceChoice } from './device-choice.tsx';
import { People } from './people-choice.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import classes from './alerts.module.css';

/** Fetched after the form, with what draws its chart. */
const Trial = lazyPart(() => import('./trial.tsx').then((m) => m.Trial), {
  failed: "How often it would have happened couldn't be loaded",
});

interface AlertFormProps {
  form: Form<AlertValues>;
  farmUID: string;
  isNew: boolean;
}

/** One sentence with gaps, and the sentence as it stands. */
export function AlertForm({ form, farmUID, isNew }: AlertFormProps) {
  const { values } = form;
  const { data: devices = [] } = useQuery(watchableQuery(farmUID));
  const chosen = new Set(values.deviceIds);
  const names = devices.filter(({ uid }) => chosen.has(uid)).map(({ name }) => name);
  const worded = {
    ...entryOf(values),
    clearValue: entryOf(values).clearValue ?? null,
    watch: values.watch,
    inputs: values.inputs,
  };
  const over = clearText(worded);
  const zone = useFarmZone(farmUID) ?? undefined;
  return (
    <RecordForm form={form} label="Alert" labels={alertFieldLabels} back="/alerts">
      <FormSection title="What to tell">
        <Wide>
          <output className={classes.preview}>
            {alertSentence(worded, names)} {over}
          </output>
        </Wide>
        <SelectField
          {...form.field('kind')}
          label="What"
          disabled={!isNew}
          hint={isNew ? undefined : 'For another kind, add another alert.'}
          onChange={(kind) => form.patch(changeKind(values, kind as AlertKind))}
          options={alertKinds.map((kind) => ({ value: kind, label: alertKindInfo[kind].label }))}
        />
        <Watch form={form} />
        <Inputs form={form} />
        <Condition form={form} />
        <Limit form={form} />
        {hasHold(values.kind, values.condition) && (
          <NumberField {...form.field('holdMinutes')} label="For at least" unit="min" isWhole />
        )}
        <Wide>
          {!isOfFarm(values.kind) && (
            <DeviceChoice
              field={form.field('deviceIds')}
              devices={devices.filter((device) => canWatch(values.kind, values.watch, device))}
              all={values.watch === null ? 'devices' : deviceLabels[values.watch][1]}
            />
          )}
        </Wide>
      </FormSection>
      <Trial
        farmUID={farmUID}
        zone={zone}
        values={values}
        onHold={(holdMinutes) => form.patch({ holdMinutes })}
        onValue={(value) => form.patch({ value, clearValue: null })}
      />
      <FormSection title="How">
        <TextField {...form.field('name')} label="Name" required maxLength={80} />
        <SelectField
          {...form.field('class')}
          value={values.class ?? ''}
          label="How urgent"
          onChange={(of) => form.patch({ class: of === '' ? null : (of as AlertClass) })}
          hint="Urgent goes by all ways that a person has on, also SMS; for information only to the bell."
          options={[
            {
              value: '',
              label: `As usual: ${alertClassLabels[alertKindInfo[values.kind].class].toLowerCase()}`,
            },
            ...alertClasses.map((of) => ({ value: of, label: alertClassLabels[of] })),
          ]}
        />
        <SwitchField {...form.field('enabled')} label="On" />
      </FormSection>
      <FormSection title="Who">
        <People form={form} farmUID={farmUID} />
      </FormSection>
    </RecordForm>
  );
}

/** What was entered stays where it fits. A name that nobody chose is that of the kind. */
function changeKind(values: AlertValues, kind: AlertKind): AlertValues {
  const fresh = newAlert(kind);
  const isOwnName = values.name !== alertKindInfo[values.kind].label;
  return {
    ...fresh,
    enabled: values.enabled,
    class: values.class,
    name: isOwnName ? values.name : fresh.name,
  };
}

function Watch({ form }: { form: Form<AlertValues> }) {
  const { kind, watch } = form.values;
  const { watches } = alertKindInfo[kind];
  if (watches.length < 2) return null;
  const mustChoose = kind === 'InputChange';
  return (
    <SelectField
      {...form.field('watch')}
      value={watch ?? ''}
      label="Of which devices"
      onChange={(of) =>
        form.patch({ watch: of === '' ? null : (of as WatchedDevice), deviceIds: [], inputs: [] })
      }
      options={[
        ...(mustChoose ? [] : [{ value: '', label: 'All of these' }]),
        ...watches.map((of) => ({ value: of, label: deviceLabels[of][1] })),
      ]}
    />
  );
}

/** Of gateways: which inputs. */
function Inputs({ form }: { form: Form<AlertValues> }) {
  const { kind, watch, inputs } = form.values;
  if (kind !== 'InputChange' || watch !== 'gateway') return null;
  const { name, error } = form.field('inputs');
  return (
    <FieldGroup name={name} label="Inputs" error={error} required>
      <div className={classes.boxes}>
        {[1, 2, 3, 4, 5, 6].map((input) => (
          <label key={input} className={classes.box}>
            <input
              type="checkbox"
              checked={inputs.includes(input)}
              onChange={({ currentTarget }) =>
                form.patch({
                  inputs: currentTarget.checked
                    ? [...inputs, input].toSorted((one, other) => one - other)
                    : inputs.filter((one) => one !== input),
                })
              }
            />
            {input}
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}

function Condition({ form }: { form: Form<AlertValues> }) {
  const { conditions, usual } = alertKindInfo[form.values.kind];
  if (conditions.length < 2) return null;
  return (
    <SelectField
      {...form.field('condition')}
      label="When"
      onChange={(condition) =>
        form.patch({
          condition: condition as AlertValues['condition'],
          // Without a usual one of its own what was entered stays, where it can have one.
          ...(usual[condition] !== undefined && { value: usual[condition], clearValue: null }),
          ...(!hasValue(form.values.kind, condition) && { value: null, clearValue: null }),
        })
      }
      options={conditions.map((condition) => ({
        value: condition,
        label: conditionLabels[condition as AlertValues['condition']],
      }))}
    />
  );
}

function Limit({ form }: { form: Form<AlertValues> }) {
  const { kind, condition, value } = form.values;
  const info = alertKindInfo[kind];
  if (info.value === null || !hasValue(kind, condition)) return null;
  const end = usualClear(kind, condition, Number(value ?? 0));
  const usual = end === null ? '' : Number(end.toFixed(1));
  return (
    <>
      <NumberField
        {...form.field('value')}
        label={kind === 'OutOfContact' ? 'Not heard for' : 'Limit'}
        unit={info.value.unit}
        hint={kind === 'OutOfContact' ? 'Empty: as usual for the device.' : undefined}
      />
      {info.clear && (
        <NumberField
          {...form.field('clearValue')}
          label="Over at"
          unit={info.value.unit}
          hint={`Empty: ${usual}. What lies between changes nothing, so that a level at the limit doesn't come and go.`}
        />
      )}
    </>
  );
}
