import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { ContentDevice } from './farm-content.repo.ts';

type Ordered = Pick<ContentDevice, 'name' | 'serial_number' | 'uid'>;

/** As people count, so that the same farm gives the same file. */
export const inOrder = <T extends Ordered>(devices: readonly T[]): T[] =>
  devices.toSorted(
    (one, other) =>
      compareNatural(one.name, other.name) ||
      compareNatural(one.serial_number, other.serial_number) ||
      (one.uid < other.uid ? -1 : Number(one.uid > other.uid)),
  );

/** One with a unit in its place, spare or not. */
export const isPlaceholder = ({ settings }: Pick<ContentDevice, 'settings'>): boolean =>
  settings['isPlaceholder'] === true;
export const isSpare = ({ settings }: Pick<ContentDevice, 'settings'>): boolean =>
  settings['isSpareUnit'] === true;
