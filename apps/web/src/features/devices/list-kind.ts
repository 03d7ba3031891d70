import type { ReactNode } from 'react';
import type { Condition } from '../../ui/tokens.ts';
import type { DeviceKind } from './device-kinds.ts';

/** What every device in a list has. */
export interface Listed {
  readonly _id: string;
  readonly name: string;
  readonly description: string;
  readonly serialNumber?: string | undefined;
  readonly macAddress?: string | undefined;
  readonly lat: number | null;
  readonly lng: number | null;
}

/** How a device is: a colour with its word. */
export interface Standing {
  readonly condition: Condition;
  readonly word: string;
}

export interface Column<T> {
  readonly id: string;
  readonly label: string;
  /** Of the grid: `120px`, `minmax(90px, 1fr)`. */
  readonly width: string;
  readonly cell: (item: T) => ReactNode;
  /** What it is sorted by. */
  readonly order: (item: T) => string | number;
  readonly isNumber?: boolean;
  /** Also on the card of a narrow screen, with these words before it. */
  readonly onCard?: string;
}

export interface ListFilter<T> {
  readonly id: string;
  readonly label: string;
  readonly isIn: (item: T, now: number) => boolean;
}

/** Something that devices belong to, by which the list can be narrowed. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}

/** All that the list needs to know of a kind. */
export interface ListKind<T extends Listed> {
  readonly kind: DeviceKind;
  readonly columns: readonly Column<T>[];
  readonly filters: readonly ListFilter<T>[];
  readonly standing: (item: T, now: number) => Standing;
  readonly groups?: { readonly of: (item: T) => readonly string[]; readonly choices: readonly Choice[] };
  readonly gateways?: { readonly of: (item: T) => string | null; readonly choices: readonly Choice[] };
}

export const isLocationless = ({ lat, lng }: Listed): boolean => lat === null || lng === null;

export const locationless = <T extends Listed>(): ListFilter<T> => ({
  id: 'locationless',
  label: 'Locationless',
  isIn: isLocationless,
});
