import { useState, type FormEvent, type ReactNode } from 'react';
import { Button, TextInput } from '@mantine/core';
import { SERIAL_NUMBER_MAX } from '@headrace/contract/rules/device-form';
import classes from './registry.module.css';

export interface SerialFormProps {
  /** What is in the box at first. */
  initial?: string;
  onSubmit: (serialNumber: string) => void;
  /** Within the box, at its right; it hands on what it read. */
  renderScan?: (onFound: (text: string) => void) => ReactNode;
}

/** A serial number, typed. */
export function SerialForm({ initial = '', onSubmit, renderScan }: SerialFormProps) {
  const [text, setText] = useState(initial);
  const [isMissing, setIsMissing] = useState(false);
  const ask = (given: string) => {
    const serialNumber = given.trim();
    setIsMissing(serialNumber === '');
    if (serialNumber !== '') onSubmit(serialNumber);
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
        error={isMissing && 'Enter a serial number.'}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={SERIAL_NUMBER_MAX}
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
