import { useState, type FormEvent, type ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { SERIAL_NUMBER_MAX } from '@headrace/contract/rules/device-form';
import { line } from '@headrace/contract/rules/form-rules';
import { serialIn } from './serial-text.ts';
import classes from './registry.module.css';

export interface SerialFormProps {
  /** What is in the box at first. */
  initial?: string;
  onSubmit: (serialNumber: string) => void;
  /** Within the box, at its right; it hands on what it read. */
  renderScan?: (onFound: (text: string) => void) => ReactNode;
}

/** Of what is left of a label's text, which may be longer: its box takes all of what a scanner types. */
const isLine = line('Serial number', SERIAL_NUMBER_MAX);

/** A serial number, typed. */
export function SerialForm({ initial = '', onSubmit, renderScan }: SerialFormProps) {
  const [text, setText] = useState(initial);
  const [fieldError, setError] = useState<string | null>(null);
  const ask = (given: string) => {
    const serialNumber = serialIn(given);
    const wrong = serialNumber === '' ? 'Enter a serial number.' : isLine(serialNumber);
    setError(wrong);
    if (wrong) return;
    setText(serialNumber);
    onSubmit(serialNumber);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    ask(text);
  };
  const take = (found: string) => {
    setText(found);
    ask(found);
  };
  return (
    <form className={classes.form} noValidate onSubmit={submit} aria-label="Serial number">
      <TextInput
        size="md"
        className={classes.box ?? ''}
        label="Serial number"
        description="The whole number, as it stands on the label."
        error={fieldError}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={text}
        rightSection={renderScan?.(take)}
        rightSectionWidth={44}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" mih={44}>
        Look up
      </Button>
    </form>
  );
}
