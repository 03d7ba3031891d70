import { useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Farm, FarmIcon } from '@headrace/contract/farms';
import type { LatLng } from '@headrace/contract/schemas';
import {
  AreaField,
  ChoiceField,
  Columns,
  FormSection,
  NumberField,
  SelectField,
  SwitchField,
  TextField,
  Wide,
} from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import type { RecordForm as Form } from '../../forms/use-record-form.ts';
import { isSame } from '../../forms/merge.ts';
import { WaterFields } from '../../forms/water-fields.tsx';
import type { EditorMode } from '../../map/boundary-editor.tsx';
import { FarmSign } from '../../farm/farm-sign.tsx';
import { AddressField, AddressParts, AddressSource } from './address-field.tsx';
import { ownersQuery } from './farm-edit.queries.ts';
import { BoundaryField, PlaceFields } from './farm-place-fields.tsx';
import { farmLabels, iconLabels, suppliers, type FarmValues } from './farm-values.ts';
import { TimezonePanel } from './timezone-panel.tsx';

export const FORM_TITLE = 'Farm Information';

export interface FarmFormProps {
  form: Form<FarmValues>;
  /** The record, unless the farm is new. */
  farm?: Farm | undefined;
  /** An agent makes the farm and says for whom. */
  asksOwner?: boolean | undefined;
  children?: ReactNode;
}

/** Everything of a farm that a person enters. */
export function FarmForm({ form, farm, asksOwner = false }: FarmFormProps) {
  const { field, error, touch, patch, values } = form;
  const [lookAt, setLookAt] = useState<LatLng | null>(null);
  const [mode, setMode] = useState<EditorMode>('Pin');
  return (
    <RecordForm form={form} label={FORM_TITLE} labels={farmLabels} back="/">
      <Columns
        first={
          <>
            <FormSection>
              {asksOwner && <OwnerField form={form} />}
              <TextField {...field('name')} label="Name" required maxLength={200} />
              <AreaField {...field('description')} label="Description" rows={2} />
              <Wide>
                <ChoiceField {...field('icon')} label="Icon" options={icons} />
              </Wide>
            </FormSection>
            <FormSection title="Location">
              <Wide>
                <AddressField
                  {...field('address')}
                  onPlace={(place) => {
                    patch({ place });
                    touch('lat', 'lng');
                    setLookAt(place);
                    // The pin stands; what comes next is its land.
                    if (values.boundary.length === 0) setMode('Drawable');
                  }}
                />
                <AddressSource text={values.address.fullAddress} />
                <AddressParts {...field('address')} />
              </Wide>
              <PlaceFields form={form} onPlace={setLookAt} />
            </FormSection>
          </>
        }
        aside={
          <FormSection>
            <Wide>
              <BoundaryField form={form} lookAt={lookAt} mode={mode} onMode={setMode} />
            </Wide>
          </FormSection>
        }
      >
        {farm && (
          <TimezonePanel
            farmUID={farm.uid}
            zone={farm.timezone}
            isMoved={!isSame(values.place, { lat: farm.lat, lng: farm.lng })}
          />
        )}
        <FormSection title="Irrigation">
          <NumberField {...field('irrigationArea')} label="Irrigation area" unit="ha" />
          <SelectField {...field('supplier')} label="Supplier" options={supplierOptions(values.supplier)} />
          <SwitchField
            {...field('tankOnly')}
            label="Tanks only"
            hint="Hides sprinklers, repeaters and schedules."
          />
          <SwitchField
            {...field('v3Site')}
            label="Version 3 site"
            hint="Sprinklers that run at midnight water for one minute more."
          />
        </FormSection>
        <WaterFields
          name="walConfig"
          value={values.walConfig}
          error={error}
          touch={touch}
          onChange={(walConfig) => patch({ walConfig })}
        />
      </Columns>
    </RecordForm>
  );
}

const icons = (Object.keys(iconLabels) as FarmIcon[]).map((icon) => ({
  value: icon,
  label: <FarmSign icon={icon} size={40} />,
  name: iconLabels[icon],
}));

/** A supplier that the record names and the list doesn't stays to be chosen. */
function supplierOptions(current: string) {
  const known: readonly string[] = suppliers;
  const others = current !== '' && !known.includes(current) ? [current] : [];
  return [{ value: '', label: 'None' }, ...suppliers, ...others];
}

function OwnerField({ form }: { form: Form<FarmValues> }) {
  const { data: owners = [] } = useQuery(ownersQuery);
  const options = owners.map(({ _id, name, email }) => ({ value: _id, label: `${name} (${email})` }));
  return (
    <SelectField
      {...form.field('accountId')}
      label="Owner"
      required
      hint="Owners who share their whole account with you."
      options={[{ value: '', label: 'Choose…' }, ...options]}
    />
  );
}
