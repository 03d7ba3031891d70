import type { FieldErrors } from '../../forms/use-record-form.ts';

export type GuideStep = 1 | 2 | 3 | 4;

/** Fields that have to be right before the step after theirs, in order. */
const fieldsOfStep: readonly (readonly string[])[] = [
  ['name', 'address'],
  ['lat', 'lng'],
  ['boundary', 'size'],
];

/** Where the guide stands: at the first step that isn't done yet. Step 4 has nothing that must be entered. */
export function guideStep(fieldErrors: FieldErrors): GuideStep {
  const open = fieldsOfStep.findIndex((fields) => fields.some((field) => fieldErrors[field] !== undefined));
  return (open === -1 ? 4 : open + 1) as GuideStep;
}

export const guideLabels: readonly { title: string; text: string }[] = [
  { title: 'Name and address', text: 'Enter what the farm is called, and the road that leads to it.' },
  { title: 'Pin', text: 'Tap the map where the farm is, or choose the address from the list.' },
  {
    title: 'Boundary',
    text: 'Tap the corners of the farm on the map, one after the other. The size follows from them.',
  },
  { title: 'Create', text: 'All is there. Choose a supplier if you have one, and create the account.' },
];
