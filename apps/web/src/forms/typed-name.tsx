import { useRef, useState, type ReactNode } from 'react';
import { TextInput } from '@mantine/core';

/** Whether what was typed is the name, blanks and case aside. */
const isSame = (typed: string, name: string): boolean =>
  typed.trim().toLowerCase() === name.trim().toLowerCase();

interface TypedName {
  /** The field; null: nothing has to be typed. */
  field: ReactNode;
  isTyped: boolean;
  /** Says at the field that the name is missing, and goes there. */
  ask: () => void;
}

/** Asks for a name to be typed before much is lost; undefined: little is. */
export function useTypedName(name: string | undefined): TypedName {
  const [typed, setTyped] = useState('');
  const [isAsked, setIsAsked] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const isTyped = name === undefined || isSame(typed, name);
  const field = name !== undefined && (
    <TextInput
      ref={input}
      mt="sm"
      size="md"
      label={`To confirm, type ${name}`}
      value={typed}
      autoComplete="off"
      error={isAsked && !isTyped && `Type ${name} first.`}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
  return {
    field: field || null,
    isTyped,
    ask: () => {
      setIsAsked(true);
      input.current?.focus();
    },
  };
}
