import { validateBoundary } from '@headrace/contract/rules/farm-form';
import { BOUNDARY_POINTS, crossesItself } from '@headrace/contract/rules/polygon';
import { crossings, type Ring } from './draft.ts';

export interface BoundarySentence {
  text: string;
  isWrong: boolean;
}

/** What is wrong with a boundary that is being drawn: what is missing is no fault yet, what crosses is one at once. */
export function boundarySentence(ring: Ring, isOpen: boolean): BoundarySentence {
  if (ring.length < BOUNDARY_POINTS.min) return { text: '', isWrong: false };
  const { boundary, size } = validateBoundary(ring);
  const text = boundary ?? size ?? '';
  // Only its last side crosses, which isn't drawn yet: the next corners will put it right.
  const isOnItsWay = isOpen && crossesItself(ring) && crossings(ring, false).length === 0;
  return text === '' || isOnItsWay ? { text: '', isWrong: false } : { text, isWrong: true };
}
