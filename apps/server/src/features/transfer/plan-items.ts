import type { ImportRow } from '@headrace/contract/imports';
import type { LatLng } from '@headrace/contract/schemas';
import type { NewFileSet } from '../schedules/file-sets.ts';
import type { ContentDevice } from './farm-content.repo.ts';
import type { PlanRow } from './plan-import.ts';

/** What becomes of a row that is done. */
export type Deed =
  | { readonly do: 'unit'; readonly row: PlanRow }
  | { readonly do: 'move'; readonly device: ContentDevice; readonly place: LatLng }
  | { readonly do: 'add point'; readonly name: string; readonly place: LatLng }
  | { readonly do: 'boundary'; readonly ring: readonly LatLng[] }
  | { readonly do: 'add group'; readonly name: string }
  | { readonly do: 'farm'; readonly change: { readonly name: string } & LatLng }
  | { readonly do: 'set'; readonly set: NewFileSet };

/** A row of the plan as people see it, and what it does; null: nothing. */
export interface PlanItem {
  readonly row: Omit<ImportRow, 'row'>;
  readonly deed: Deed | null;
}

export const deedsOf = <Do extends Deed['do']>(
  items: readonly PlanItem[],
  what: Do,
): Extract<Deed, { do: Do }>[] =>
  items.flatMap(({ deed }) => (deed?.do === what ? [deed as Extract<Deed, { do: Do }>] : []));

/** A unit's row of the plan, with where it is and would be. */
export function unitItem(row: PlanRow): PlanItem {
  const { line, kind, name, action, fields, why, device, values } = row;
  const was = placeOf(device);
  const place = action === 'left out' ? null : placeOf(values);
  return {
    row: { line, kind, name, action, fields: [...fields], why, ...(was && { was }), ...(place && { place }) },
    deed: action === 'left out' || action === 'same' ? null : { do: 'unit', row },
  };
}

export const placeOf = (at: { lat: number | null; lng: number | null } | null): LatLng | null =>
  at === null || at.lat === null || at.lng === null ? null : { lat: at.lat, lng: at.lng };
