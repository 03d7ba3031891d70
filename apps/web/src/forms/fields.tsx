import type { ComponentProps, ReactNode } from 'react';
import { Input, NativeSelect, Switch, Textarea, TextInput } from '@mantine/core';
import type { FieldProps } from './use-record-form.ts';
import classes from './forms.module.css';
import panel from '../ui/panel.module.css';

interface FieldText {
  label: string;
  /** Behind the label, smaller: ha, mm, min. */
  unit?: string | undefined;
  /** Below the label: what to enter, where that isn't plain. */
  hint?: ReactNode;
  required?: boolean | undefined;
  disabled?: boolean | undefined;
}

export type TextFieldProps = FieldProps<string> &
  FieldText & {
    maxLength?: number | undefined;
    placeholder?: string | undefined;
    autoComplete?: string | undefined;
    inputMode?: 'text' | 'email' | 'tel' | 'numeric' | undefined;
    /** Within the box, at its right: a button of 44 px. */
    rightSection?: ReactNode;
    /** Below the box: what is known of what was entered. */
    below?: ReactNode;
  };

/** One line of text. */
export function TextField({ onChange, unit, label, hint, below, ...rest }: TextFieldProps) {
  return (
    <TextInput
      {...rest}
      label={<Label label={label} unit={unit} />}
      description={hint}
      rightSectionWidth={44}
      {...(below !== undefined && { inputContainer: withBelow(below) })}
      autoComplete={rest.autoComplete ?? 'off'}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** Box and note are one part of the field: the box beside it stays level. */
const withBelow = (below: ReactNode) => (box: ReactNode) => (
  <div className={classes.boxed}>
    {box}
    {below}
  </div>
);

export type AreaFieldProps = FieldProps<string> & FieldText & { rows?: number | undefined };

/** Several lines of text. */
export function AreaField({ onChange, unit, label, hint, rows = 3, ...rest }: AreaFieldProps) {
  return (
    <Textarea
      {...rest}
      rows={rows}
      size="md"
      label={<Label label={label} unit={unit} />}
      description={hint}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A number as it stands in its field: what was typed stays typed, so "1." and "-" can be on their way to a number. */
export type EnteredNumber = number | string | null;
export type NumberFieldProps = FieldProps<EnteredNumber> &
  FieldText &
  Pick<ComponentProps<'input'>, 'onPaste' | 'onKeyDown'> & {
    isWhole?: boolean | undefined;
    isSigned?: boolean | undefined;
  };

/** A number. It hands on what was typed; the record's number is made of it on saving (`enteredNumber`). */
export function NumberField(props: NumberFieldProps) {
  const { onChange, unit, label, hint, value, isWhole = false, isSigned = false, ...rest } = props;
  // iPhones' number pads have no minus.
  const inputMode = isSigned ? 'text' : isWhole ? 'numeric' : 'decimal';
  return (
    <TextInput
      {...rest}
      className={classes.number ?? ''}
      value={value ?? ''}
      inputMode={inputMode}
      autoComplete="off"
      label={<Label label={label} unit={unit} />}
      description={hint}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** What was typed as the number that is saved; null for nothing. */
export function enteredNumber(value: EnteredNumber | undefined): number | null {
  const text = String(value ?? '').trim();
  return text === '' ? null : Number(text);
}

export type SelectFieldProps = FieldProps<string> &
  FieldText & {
    autoComplete?: string | undefined;
    options: readonly (string | { value: string; label: string })[];
  };

/** One of some. The browser's own list: on phones nothing is quicker. */
export function SelectField({ onChange, unit, label, hint, options, ...rest }: SelectFieldProps) {
  return (
    <NativeSelect
      {...rest}
      size="md"
      data={options.map((option) => (typeof option === 'string' ? { value: option, label: option } : option))}
      label={<Label label={label} unit={unit} />}
      description={hint}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** On or off. */
export function SwitchField({
  onChange,
  value,
  label,
  hint,
  unit: _unit,
  ...rest
}: FieldProps<boolean> & FieldText) {
  return (
    <Switch
      {...rest}
      size="md"
      checked={value}
      label={label}
      description={hint}
      classNames={{ body: classes.switchBody ?? '' }}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

export type ChoiceFieldProps<T extends string> = FieldProps<T> &
  FieldText & { options: readonly { value: T; label: ReactNode; name?: string | undefined }[] };

/** One of a few that are all in sight. `name` is read out where the label is a picture. */
export function ChoiceField<T extends string>(props: ChoiceFieldProps<T>) {
  const { name, value, error, onChange, onBlur, label, hint, options, required, disabled } = props;
  return (
    <FieldGroup name={name} label={label} hint={hint} error={error} required={required}>
      <div className={classes.choices}>
        {options.map((option) => (
          <label key={option.value} className={classes.choice}>
            <input
              type="radio"
              name={name}
              value={option.value}
              aria-label={option.name}
              checked={option.value === value}
              disabled={disabled}
              onChange={() => onChange(option.value)}
              onBlur={onBlur}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </FieldGroup>
  );
}

export interface FieldGroupProps extends FieldText {
  name: string;
  error: string | undefined;
  children: ReactNode;
}

/** A label, hint and error round parts that are no single box: a map, icons, a list. Takes the focus when it is at fault. */
export function FieldGroup({ name, label, unit, hint, error, required, children }: FieldGroupProps) {
  const id = `field-${name}`;
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div
      role="group"
      id={id}
      className={classes.group}
      tabIndex={-1}
      data-fault={error ? '' : undefined}
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy || undefined}
    >
      <Input.Label labelElement="div" id={`${id}-label`} size="md" required={required ?? false}>
        <Label label={label} unit={unit} />
      </Input.Label>
      {hint && (
        <Input.Description id={`${id}-hint`} size="md">
          {hint}
        </Input.Description>
      )}
      {children}
      {error && (
        <Input.Error id={`${id}-error`} size="md">
          {error}
        </Input.Error>
      )}
    </div>
  );
}

function Label({ label, unit }: { label: string; unit?: string | undefined }) {
  return (
    <>
      {label}
      {unit && <span className="unit"> {unit}</span>}
    </>
  );
}

/** Fields that belong together, under a heading. */
export function FormSection({ title, children }: { title?: string | undefined; children: ReactNode }) {
  return (
    <section className={panel.panel}>
      {title && <h2 className={panel.title}>{title}</h2>}
      <div className={classes.grid}>{children}</div>
    </section>
  );
}

interface ColumnsProps {
  first: ReactNode;
  /** Beside the others where there is room, and after the first where there isn't: a map. */
  aside: ReactNode;
  children?: ReactNode;
}

/** Sections in two columns on wide screens. */
export const Columns = ({ first, aside, children }: ColumnsProps) => (
  <div className={classes.columns}>
    <div className={classes.column}>{first}</div>
    <div className={classes.aside}>{aside}</div>
    {children && <div className={classes.column}>{children}</div>}
  </div>
);

/** A part of a section that takes its whole width. */
export function Wide({ children }: { children: ReactNode }) {
  return <div className={classes.wide}>{children}</div>;
}
