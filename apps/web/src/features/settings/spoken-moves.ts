import { KeyboardSensor, PointerSensor, useSensor, useSensors, type Announcements } from '@dnd-kit/core';
import { sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import { cardLabels, type CardType } from '@headrace/contract/default-settings';

/** By pointer and finger after a few px, so that a tap stays a tap; by Space and the arrow keys. */
export const useDragSensors = () =>
  useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );

export const spokenUse =
  'To move a card, press Space, then the up and down arrows. Press Space again to leave it there, or Escape to put it back.';

/** What a screen reader says while a card is moved. */
export function spokenMoves(order: readonly CardType[]): Announcements {
  const name = (id: string | number) => cardLabels[id as CardType];
  const place = (id: string | number) => `place ${order.indexOf(id as CardType) + 1} of ${order.length}`;
  return {
    onDragStart: ({ active }) => `${name(active.id)} is held, at ${place(active.id)}.`,
    onDragOver: ({ active, over }) => (over ? `${name(active.id)} is over ${place(over.id)}.` : undefined),
    onDragEnd: ({ active, over }) => `${name(active.id)} is now at ${place((over ?? active).id)}.`,
    onDragCancel: ({ active }) => `${name(active.id)} is back at ${place(active.id)}.`,
  };
}
