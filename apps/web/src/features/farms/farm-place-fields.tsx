import { useRef } from 'react';
import type { LatLng } from '@headrace/contract/schemas';
import { FieldGroup, NumberField } from '../../forms/fields.tsx';
import type { RecordForm as Form } from '../../forms/use-record-form.ts';
import type { EditorMode } from '../../map/boundary-editor.tsx';
import { BoundaryAsText } from './boundary-as-text.tsx';
import { FarmMapField, pinOf } from './farm-map-field.tsx';
import type { EnteredPlace, FarmValues } from './farm-values.ts';

export interface PlaceFieldsProps {
  form: Form<FarmValues>;
  /** A place was typed to its end. */
  onPlace: (place: LatLng) => void;
}

/** The pin as two numbers. */
export function PlaceFields({ form, onPlace }: PlaceFieldsProps) {
  const { place } = form.values;
  const isTyped = useRef(false);
  const leave = (name: keyof EnteredPlace) => {
    form.touch(name);
    const pin = pinOf(place);
    if (pin && isTyped.current) onPlace(pin);
    isTyped.current = false;
  };
  const coordinate = (name: keyof EnteredPlace, label: string) => (
    <NumberField
      name={name}
      label={label}
      required
      isSigned
      value={place[name]}
      error={form.error(name)}
      onChange={(entered) => {
        isTyped.current = true;
        form.patch({ place: { ...place, [name]: entered } });
      }}
      onBlur={() => leave(name)}
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
