import { useId } from 'react';
import { Switch } from '@mantine/core';
import forms from './forms.module.css';

export interface SettingSwitchProps {
  label: string;
  /** Its name, where its words alone don't say what it is about. */
  name?: string;
  hint?: string | undefined;
  isOn: boolean;
  disabled?: boolean | undefined;
  onChange: (isOn: boolean) => void;
}

/** A setting that is on or off. It holds at once: there is nothing to save. */
export function SettingSwitch({
  label,
  name = label,
  hint,
  isOn,
  disabled = false,
  onChange,
}: SettingSwitchProps) {
  const hintId = useId();
  return (
    <Switch
      size="md"
      label={label}
      description={hint && <span id={hintId}>{hint}</span>}
      // The hint stands within the label; it is no part of the switch's name.
      aria-label={name}
      aria-describedby={hint ? hintId : undefined}
      checked={isOn}
      disabled={disabled}
      classNames={{ body: forms.switchBody ?? '' }}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
