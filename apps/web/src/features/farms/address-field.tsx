import { useRef, useState } from 'react';
import { Autocomplete } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { Address, AddressSuggestion } from '@headrace/contract/farms';
import type { FieldProps } from '../../forms/use-record-form.ts';
import { TextField } from '../../forms/fields.tsx';
import { ADDRESS_FROM, addressQuery } from './farm-edit.queries.ts';
import classes from './farm-form.module.css';

const DEBOUNCE_MS = 250;
const SHOWN = 8;

export interface AddressFieldProps extends FieldProps<Address> {
  /** A place was chosen from the list: the pin goes there. */
  onPlace: (place: { lat: number; lng: number }) => void;
}

/** The road that leads to the farm: looked up as it is typed, and free to be anything. */
export function AddressField({ name, value, error, onChange, onBlur, onPlace }: AddressFieldProps) {
  const lookup = useLookup(value.fullAddress);
  // The box tells of a choice as if it were typed as well.
  const justChosen = useRef<string | null>(null);
  const type = (fullAddress: string) => {
    if (justChosen.current === fullAddress) return;
    justChosen.current = null;
    lookup.type();
    // What was chosen is no longer what stands there.
    if (lookup.isChosen) onChange({ fullAddress, street: '', suburb: '', city: '', zip: '', country: '' });
    else onChange({ ...value, fullAddress });
  };
  const choose = (text: string) => {
    const found = lookup.suggestions.find((suggestion) => suggestion.text === text);
    if (!found) return;
    justChosen.current = text;
    lookup.choose(text);
    onChange({ ...found.address, fullAddress: text });
    onPlace({ lat: found.lat, lng: found.lng });
  };
  return (
    <Autocomplete
      name={name}
      label="Access Road"
      description="Choosing a place from the list moves the pin there."
      size="md"
      required
      autoComplete="off"
      maxLength={200}
      value={value.fullAddress}
      error={error}
      onBlur={onBlur}
      onChange={type}
      onOptionSubmit={choose}
      data={lookup.suggestions.map(({ text }) => text)}
      filter={({ options }) => options}
      openOnFocus={false}
      maxDropdownHeight={360}
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      rightSection={null}
      comboboxProps={{ withinPortal: false }}
    />
  );
}

/** Says what became of looking up; also where the places come from, as their licence asks. */
export function AddressSource({ text }: { text: string }) {
  const { data, isError } = useQuery({ ...addressQuery(text.trim()), enabled: false });
  if (isError)
    return (
      <p className={classes.note}>Places can't be looked up now: type the road, and set the pin yourself.</p>
    );
  return data && data.suggestions.length > 0 ? <p className={classes.note}>Places: {data.source}</p> : null;
}

function useLookup(text: string) {
  const [isTyped, setIsTyped] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const [wanted] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const isChosen = chosen !== null && chosen === text;
  const isLong = (typed: string) => typed.trim().length >= ADDRESS_FROM;
  // What was chosen is known: it isn't looked up once more.
  const isWanted = isTyped && !isChosen && isLong(wanted) && isLong(text);
  const { data } = useQuery({ ...addressQuery(wanted), enabled: isWanted });
  return {
    isChosen,
    suggestions: isWanted ? distinct(data?.suggestions ?? []) : [],
    type: () => setIsTyped(true),
    choose: setChosen,
  };
}

/** A list shows each text once. */
function distinct(suggestions: readonly AddressSuggestion[]): AddressSuggestion[] {
  const byText = new Map(suggestions.map((suggestion) => [suggestion.text, suggestion]));
  return [...byText.values()].slice(0, SHOWN);
}

const parts = [
  ['street', 'Street'],
  ['suburb', 'Suburb'],
  ['city', 'City'],
  ['zip', 'Postcode'],
  ['country', 'Country'],
] as const;

/** The parts of the address, for those who need them apart. */
export function AddressParts({ value, onChange }: Pick<AddressFieldProps, 'value' | 'onChange'>) {
  return (
    <details className={classes.details}>
      <summary>Address in parts</summary>
      <div className={classes.parts}>
        {parts.map(([part, label]) => (
          <TextField
            key={part}
            name={`address.${part}`}
            label={label}
            maxLength={part === 'zip' ? 20 : 200}
            value={value[part]}
            error={undefined}
            onChange={(text) => onChange({ ...value, [part]: text })}
            onBlur={() => undefined}
          />
        ))}
      </div>
    </details>
  );
}
