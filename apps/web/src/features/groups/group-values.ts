import type { WaterApplication } from '@headrace/contract/farms';
import type { Group } from '@headrace/contract/groups';
import { DESCRIPTION_MAX, LONG_NAME_MAX } from '@headrace/contract/rules/device-form';
import { all, maxLength, required } from '@headrace/contract/rules/form-rules';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import type { FieldErrors } from '../../forms/use-record-form.ts';
import { waterErrors, waterText } from '../../forms/water-fields.tsx';

/** What the form of a group holds. */
export interface GroupValues {
  name: string;
  description: string;
  isLateral: boolean;
  walConfig: WaterApplication;
}

export const valuesOf = ({ name, description, isLateral, walConfig }: Group): GroupValues => ({
  name,
  description,
  isLateral,
  walConfig,
});

export const entryOf = ({ name, description, ...values }: GroupValues) => ({
  ...values,
  name: name.trim(),
  description: description.trim(),
});

const nameRule = all(required('Name'), maxLength('Name', LONG_NAME_MAX));
const descriptionRule = maxLength('Description', DESCRIPTION_MAX);

/** Whether the name is free, the server says. */
export function validateGroup({ name, description, walConfig }: GroupValues): FieldErrors {
  const ofName = nameRule(name);
  const ofDescription = descriptionRule(description);
  return {
    ...(ofName && { name: ofName }),
    ...(ofDescription && { description: ofDescription }),
    ...waterErrors('walConfig', walConfig),
  };
}

export const groupLabels: FieldLabels<GroupValues> = {
  name: { label: 'Name' },
  description: { label: 'Description' },
  isLateral: { label: 'Lateral', text: (isLateral) => (isLateral ? 'Yes' : 'No') },
  walConfig: { label: 'Water application', text: waterText },
};
