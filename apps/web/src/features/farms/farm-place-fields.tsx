import { useRef } from 'react';
import type { LatLng } from '@headrace/contract/schemas';
import { FieldGroup, NumberField } from '../../forms/fields.tsx';
import type { RecordForm as Form } from '../../forms/use-record-form.ts';
import type { EditorMode } from '../../map/boundary-editor.tsx';
import { pastedPair, tidyPlace } from '../../map/place-entry.ts';
import { BoundaryAsText } from './boundary-as-text.tsx';
import { FarmMapField, pinOf } from './farm-map-field.tsx';
import type { EnteredPlace, FarmValues } from './farm-values.ts';

export interface PlaceFieldsProps {
  form: Form<FarmValues>;
  /** A place was typed to its end. */
  onPlace: (place: LatLng) => void;
}

/** The pin as two numbers. Either box takes a pair, as maps copy it, and degrees in any writing. */
export function PlaceFields({ form, onPlace }: PlaceFieldsProps) {
  const { place } = form.values;
  const isTyped = useRef(false);
  const type = (entered: EnteredPlace) => {
    isTyped.current = true;
    form.patch({ place: entered });
  };
  // Not while it is typed: the first digit of a pair's second number isn't all of it.
  const take = () => {
    if (!isTyped.current) return;
    isTyped.current = false;
    const tidy = tidyPlace({ lat: String(place.lat ?? ''), lng: String(place.lng ?? '') });
    form.patch({ place: tidy });
    const pin = pinOf(tidy);
    if (pin) onPlace(pin);
  };
  const coordinate = (name: keyof EnteredPlace, label: string) => (
    <NumberField
      name={name}
      label={label}
      required
      isSigned
      value={place[name]}
      error={form.error(name)}
      onChange={(entered) => type({ ...place, [name]: entered })}
      onPaste={(event) => {
        const pair = pastedPair(event);
        if (pair) type(pair);
      }}
      // Enter saves what stands in the boxes.
      onKeyDown={({ key }) => key === 'Enter' && take()}
      onBlur={() => {
        form.touch(name);
        take();
      }}
    />
  );
  return (
    <>
      {coordinate('lat', 'Latitude')}
      {coordinate('lng', 'Longitude')}
    </>
  );
}

export interface BoundaryFieldProps {
  form: Form<FarmValues>;
  /** A place that the map is to show: it was chosen or typed. */
  lookAt?: LatLng | null | undefined;
  /** What the map changes; absent: the map decides. */
  mode?: EditorMode | undefined;
  onMode?: ((mode: EditorMode) => void) | undefined;
}

/** Pin and land on the map. The size follows from the boundary: the map says it, and what is wrong while it is drawn. */
export function BoundaryField({ form, lookAt, mode, onMode }: BoundaryFieldProps) {
  const { boundary, place } = form.values;
  const change = (next: FarmValues['boundary']) => form.patch({ boundary: next });
  return (
    <FieldGroup
      name="boundary"
      label="Pin and boundary"
      required
      error={form.error('boundary') ?? form.error('size')}
    >
      <FarmMapField
        place={place}
        boundary={boundary}
        onPlace={(next) => form.patch({ place: next })}
        onBoundary={change}
        lookAt={lookAt}
        mode={mode}
        onMode={onMode}
      />
      <BoundaryAsText boundary={boundary} onChange={change} />
    </FieldGroup>
  );
}
