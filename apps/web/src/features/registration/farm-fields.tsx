import { useState } from 'react';
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
  const [choices, setChoices] = useState(0);
  return (
    <FormSection>
      <TextField {...field('name')} label="Farm name" required maxLength={60} />
      <div>
        <AddressField
          {...field('address')}
          onPlace={(place) => {
            patch({ place });
            setChoices(choices + 1);
            touch('lat', 'lng');
          }}
        />
        <AddressSource text={values.address.fullAddress} />
      </div>
      <Wide>
        {/* Put up anew for a place from the list: it then shows that place, not the whole country. */}
        <BoundaryField key={choices} form={form} mode={mode} onMode={onMode} />
      </Wide>
      <PlaceFields form={form} />
      <SelectField
        {...field('supplier')}
        label="Supplier (optional)"
        options={[{ value: '', label: 'None' }, ...suppliers]}
      />
    </FormSection>
  );
}
