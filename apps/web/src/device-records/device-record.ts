import type { Condition } from '../ui/tokens.ts';

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
  readonly label: string;
}

/** Something that devices belong to, by which the list can be narrowed. */
export interface Choice {
  readonly id: string;
  readonly name: string;
}

export const isLocationless = ({ lat, lng }: Listed): boolean => lat === null || lng === null;
