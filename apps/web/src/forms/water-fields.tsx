import { useState } from 'react';
import type { WaterApplication } from '@headrace/contract/farms';
import {
  validateWater,
  withDepth,
  withDuration,
  withSprinkler,
} from '@headrace/contract/rules/water-application';
import { numberText } from '../ui/format.ts';
import { ChoiceField, FormSection, NumberField } from './fields.tsx';
import type { FieldErrors } from './use-record-form.ts';
import classes from './forms.module.css';

type NumberName = Exclude<keyof WaterApplication, 'type'>;

const ways = [
  { value: 'SystemDesign', label: 'System design' },
  { value: 'SprinklerParameters', label: 'Sprinkler parameters' },
] as const;

/** What is wrong with a water application that stands in a form as `name`: at the field within it. */
export function waterErrors(name: string, config: WaterApplication): FieldErrors {
  const fault = validateWater(config);
  return fault ? { [`${name}.${fault.field}`]: fault.sentence } : {};
}

/** How a water application reads in a sentence. */
export const waterText = (config: WaterApplication): string =>
  [
    `${numberText(config.wal)} mm in ${numberText(config.duration)} min`,
    `${numberText(config.sprinklerFlow, digitsOf(config.sprinklerFlow))} L/s`,
    config.type === 'SystemDesign'
      ? 'system design'
      : `sprinklers at ${config.sprinklerWidth} × ${config.sprinklerLength} m`,
  ].join(', ');

const digitsOf = (value: number) => String(value).split('.')[1]?.length ?? 0;

export interface WaterFieldsProps {
  /** Of the value in its form: the fields are called `name.wal` and so on. */
  name: string;
  value: WaterApplication;
  onChange: (value: WaterApplication) => void;
  error: (name: string) => string | undefined;
  touch: (name: string) => void;
}

/** Water application: depth and duration, each following from the other, and the sprinkler they are reckoned with. */
export function WaterFields({ name, value, onChange, error, touch }: WaterFieldsProps) {
  const field = (of: keyof WaterApplication) => ({
    name: `${name}.${of}`,
    error: error(`${name}.${of}`) ?? (of === 'type' ? error(name) : undefined),
    onBlur: () => touch(`${name}.${of}`),
  });
  const number = (of: NumberName, change: (entered: number) => WaterApplication) => ({
    ...field(of),
    entered: value[of],
    onEntered: (entered: number) => onChange(change(entered)),
  });
  const isBySprinkler = value.type === 'SprinklerParameters';
  return (
    <FormSection title="Water application">
      <Typed label="Depth" unit="mm" {...number('wal', (wal) => withDepth(value, wal))} />
      <Typed label="Duration" unit="min" {...number('duration', (minutes) => withDuration(value, minutes))} />
      <ChoiceField
        {...field('type')}
        label="Calculated by"
        value={value.type}
        options={ways}
        onChange={(type) => onChange(withSprinkler(value, { type }))}
      />
      <Typed
        label="Sprinkler flow"
        unit="L/s"
        {...number('sprinklerFlow', (sprinklerFlow) => withSprinkler(value, { sprinklerFlow }))}
      />
      {isBySprinkler && (
        <>
          <Typed
            label="Sprinkler width"
            unit="m"
            {...number('sprinklerWidth', (sprinklerWidth) => withSprinkler(value, { sprinklerWidth }))}
          />
          <Typed
            label="Sprinkler length"
            unit="m"
            {...number('sprinklerLength', (sprinklerLength) => withSprinkler(value, { sprinklerLength }))}
          />
          <p className={classes.follows}>
            One sprinkler covers{' '}
            <output className="num">
              {numberText(value.sprinklerCoverage, digitsOf(value.sprinklerCoverage))}
              <span className="unit">m²</span>
            </output>
          </p>
        </>
      )}
    </FormSection>
  );
}

interface TypedProps {
  name: string;
  label: string;
  unit: string;
  entered: number;
  error: string | undefined;
  onEntered: (value: number) => void;
  onBlur: () => void;
}

/** A number that others change too: what is typed stays as it is typed while it means the same. */
function Typed({ entered, onEntered, ...rest }: TypedProps) {
  const [text, setText] = useState<string | null>(null);
  const isMeant = text !== null && Object.is(Number(text), entered);
  const shown = Number.isFinite(entered) ? String(entered) : '';
  return (
    <NumberField
      {...rest}
      required
      value={isMeant ? text : shown}
      onChange={(typed) => {
        setText(String(typed));
        onEntered(Number(typed));
      }}
    />
  );
}
