import { useRef, useState, type ClipboardEvent, type FocusEvent, type KeyboardEvent } from 'react';
import { TextInput } from '@mantine/core';
import type { LatLng } from '@headrace/contract/schemas';
import {
  validatePlace,
  pastedPair,
  placeText,
  readPlace,
  tidyPlace,
  type EnteredPlace,
  type PlaceErrors,
} from './place-entry.ts';
import classes from './drawing.module.css';

export interface PlaceFieldsProps {
  place: LatLng | null;
  onChange: (place: LatLng | null) => void;
  /** Whether both may be blank: no place. */
  isOptional?: boolean;
  /** What they are of, for screen readers: "Point 3". */
  of?: string | undefined;
  disabled?: boolean | undefined;
  onFocus?: (() => void) | undefined;
}

/** A place as two numbers. It is taken over when both are right and the field is left, or on Enter. */
export function PlaceFields(props: PlaceFieldsProps) {
  const { place, onChange, isOptional = false, of, disabled = false, onFocus } = props;
  const box = useRef<HTMLDivElement>(null);
  const [entered, setEntered] = useState<EnteredPlace | null>(null);
  const [fieldErrors, setErrors] = useState<PlaceErrors>({});
  const [shown, setShown] = useState(place);
  if (place?.lat !== shown?.lat || place?.lng !== shown?.lng) {
    // Moved on the map: what was being typed is no longer of this place.
    setShown(place);
    setEntered(null);
    setErrors({});
  }
  const text = entered ?? placeText(place);
  const type = (change: Partial<EnteredPlace>) => setEntered({ ...text, ...change });
  // Not while it is typed: the first digit of a pair's second number isn't all of it.
  const take = () => {
    if (!entered) return;
    const tidy = tidyPlace(entered);
    const found = validatePlace(tidy, !isOptional);
    setErrors(found);
    if (Object.keys(found).length > 0) return setEntered(tidy);
    setEntered(null);
    onChange(readPlace(tidy));
  };
  const paste = (event: ClipboardEvent) => {
    const pair = pastedPair(event);
    if (pair) setEntered(pair);
  };
  const leave = (event: FocusEvent) => {
    if (!box.current?.contains(event.relatedTarget)) take();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    // Enter would send the form around.
    event.preventDefault();
    take();
  };
  const common = {
    size: 'md',
    inputMode: 'text',
    autoComplete: 'off',
    disabled,
    onFocus,
    onBlur: leave,
    onKeyDown: press,
    onPaste: paste,
  } as const;
  const name = (label: string) => (of === undefined ? {} : { 'aria-label': `${label} of ${of}` });
  return (
    <div ref={box} className={classes.place}>
      <TextInput
        {...common}
        {...name('Latitude')}
        label={of === undefined ? 'Latitude' : null}
        value={text.lat}
        error={fieldErrors.lat}
        onChange={(event) => type({ lat: event.currentTarget.value })}
      />
      <TextInput
        {...common}
        {...name('Longitude')}
        label={of === undefined ? 'Longitude' : null}
        value={text.lng}
        error={fieldErrors.lng}
        onChange={(event) => type({ lng: event.currentTarget.value })}
      />
    </div>
  );
}
