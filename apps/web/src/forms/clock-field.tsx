import { TextInput, type TextInputProps } from '@mantine/core';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import { minuteOf } from './minute-of.ts';

interface ClockFieldProps
  extends Pick<TextInputProps, 'name' | 'label' | 'required' | 'error' | 'aria-label'> {
  value: string;
  onChange: (value: string) => void;
  onBlur?: (() => void) | undefined;
}

/** A time of the day on 24 hours, which the browser's own field shows only where its language has them. */
export function ClockField({ value, onChange, onBlur, ...rest }: ClockFieldProps) {
  const leave = () => {
    const minute = minuteOf(value);
    if (minute !== null && clockText(minute) !== value) onChange(clockText(minute));
    onBlur?.();
  };
  return (
    <TextInput
      {...rest}
      className="num"
      size="md"
      inputMode="numeric"
      autoComplete="off"
      placeholder="HH:mm"
      maxLength={5}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={leave}
    />
  );
}
