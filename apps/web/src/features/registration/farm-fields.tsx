import { useState } from 'react';
import type { LatLng } from '@headrace/contract/schemas';
import { FormSection, SelectField, TextField, Wide } from '../../forms/fields.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import type { EditorMode } from '../../map/boundary-editor.tsx';
import { AddressField, AddressSource } from '../farms/address-field.tsx';
import { BoundaryField, PlaceFields } from '../farms/farm-place-fields.tsx';
import { suppliers, type FarmValues } from '../farms/farm-values.ts';

export interface FarmFieldsProps {
  form: RecordForm<FarmValues>;
  mode: EditorMode;
  onMode: (mode: EditorMode) => void;
}

/** What registration asks of the first farm; the rest is entered later. */
export function FarmFields({ form, mode, onMode }: FarmFieldsProps) {
  const { field, values, patch, touch } = form;
  const [lookAt, setLookAt] = useState<LatLng | null>(null);
  return (
    <FormSection>
      <TextField {...field('name')} label="Farm name" required maxLength={60} />
      <Wide>
        <AddressField
          {...field('address')}
          onPlace={(place) => {
            patch({ place });
            touch('lat', 'lng');
            setLookAt(place);
          }}
        />
        <AddressSource text={values.address.fullAddress} />
      </Wide>
      <Wide>
        <BoundaryField form={form} lookAt={lookAt} mode={mode} onMode={onMode} />
      </Wide>
      <PlaceFields form={form} onPlace={setLookAt} />
      <SelectField
        {...field('supplier')}
        label="Supplier (optional)"
        options={[{ value: '', label: 'None' }, ...suppliers]}
      />
    </FormSection>
  );
}
