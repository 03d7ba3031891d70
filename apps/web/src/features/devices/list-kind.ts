import type { ReactNode } from 'react';
import {
  type Choice,
  isLocationless,
  type Listed,
  type Standing,
} from '../../device-records/device-record.ts';
import type { DeviceKind } from '../../device-records/device-kinds.ts';

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

/** All that the list needs to know of a kind. */
export interface ListKind<T extends Listed> {
  readonly kind: DeviceKind;
  readonly columns: readonly Column<T>[];
  readonly filters: readonly ListFilter<T>[];
  readonly standing: (item: T, now: number) => Standing;
  /** What the standing tells; "Status" where nothing is said. */
  readonly standingLabel?: string;
  readonly groups?: { readonly of: (item: T) => readonly string[]; readonly choices: readonly Choice[] };
  readonly gateways?: { readonly of: (item: T) => string | null; readonly choices: readonly Choice[] };
}

export const locationless = <T extends Listed>(): ListFilter<T> => ({
  id: 'locationless',
  label: 'Locationless',
  isIn: isLocationless,
});
