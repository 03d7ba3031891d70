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
  /** What it does where what it is about stays where it is: in its lateral group, or at its place. Absent: that is no choice. */
  readonly staying?: Deed | undefined;
  /** What it lays claim to, such as a serial number: of items with the same one at most is done. */
  readonly claims?: readonly string[] | undefined;
}

export const deedsOf = <Do extends Deed['do']>(
  items: readonly PlanItem[],
  what: Do,
): Extract<Deed, { do: Do }>[] =>
  items.flatMap(({ deed }) => (deed?.do === what ? [deed as Extract<Deed, { do: Do }>] : []));

/** A unit's row of the plan, with where it is and would be. */
export function unitItem(row: PlanRow): PlanItem {
  const { line, kind, name, action, fields, why, device, values, others, together, staying, claims } = row;
  const was = placeOf(device);
  const place = action === 'left out' ? null : placeOf(values);
  const isDone = action !== 'left out' && action !== 'same';
  return {
    row: {
      line,
      kind,
      name,
      action,
      fields: [...fields],
      why,
      ...(others.length > 0 && {
        others: others.map((other) => ({ name: other.device.name, fields: [...other.fields] })),
      }),
      ...(together !== undefined && { together }),
      ...(staying && { stay: [...staying.fields] }),
      ...(was && { was }),
      ...(place && { place }),
    },
    deed: isDone ? { do: 'unit', row } : null,
    ...(claims && { claims }),
    ...(isDone &&
      staying &&
      staying.fields.length > 0 && { staying: { do: 'unit', row: { ...row, ...staying } } }),
  };
}

export const placeOf = (at: { lat: number | null; lng: number | null } | null): LatLng | null =>
  at === null || at.lat === null || at.lng === null ? null : { lat: at.lat, lng: at.lng };
