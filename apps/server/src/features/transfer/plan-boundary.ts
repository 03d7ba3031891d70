import { can, hasRight, type Permissions } from '@headrace/contract/permissions';
import { isInside } from '@headrace/contract/rules/distance';
import { type Land, validateFarBoundary } from '@headrace/contract/rules/far-place';
import { validateBoundary } from '@headrace/contract/rules/farm-form';
import { areaHectares, areaText, crossingOf } from '@headrace/contract/rules/polygon';
import type { LatLng } from '@headrace/contract/schemas';
import { countText, wholeText } from '@headrace/contract/rules/number-text';
import type { ContentDevice } from './farm-content.repo.ts';
import { mayNot, onLine } from './fault-place.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { type PlanItem, placeOf } from './plan-items.ts';
import type { FileArea } from './reading/file-content.ts';

interface Asked {
  readonly land: Land;
  readonly devices: readonly ContentDevice[];
  readonly permissions: Permissions;
  /** The file has several areas, and none of them says that it is the farm's land. */
  readonly isAsked: boolean;
}

/** What an area of a file would make of the farm's boundary. */
export async function planBoundary(
  { line, name, ring, holes, kind }: FileArea,
  { land, devices, permissions, isAsked }: Asked,
): Promise<PlanItem> {
  const of = { line, kind: 'boundary', name: name || land.name, ring: [...ring] };
  const refuse = (why: string): PlanItem => ({
    row: { ...of, action: 'left out', fields: [], why: onLine(of, why) },
    deed: null,
  });
  if (isSameRing(ring, land.boundary))
    return { row: { ...of, action: 'same', fields: [], why: '' }, deed: null };
  if (!hasRight(permissions, can('farms', 'Edit'))) return refuse(mayNot('change the boundary of this farm'));
  const [fault = validateFarBoundary(land, ring)] = Object.values(validateBoundary(ring));
  const crossing = fault === null ? null : crossingOf(ring);
  if (fault !== null)
    return refuse(
      crossing ? `${fault} The line that begins at ${crossing.lat}, ${crossing.lng} does.` : fault,
    );
  const areOutside = await mapInTurns(devices, (device) => {
    const place = placeOf(device);
    return (
      place !== null && !isInside(place, ring) && (land.boundary.length < 3 || isInside(place, land.boundary))
    );
  });
  const outside = areOutside.filter(Boolean).length;
  const isChoice = (isAsked && kind !== 'boundary') || outside > 0;
  const why = [
    isAsked && kind !== 'boundary'
      ? 'It is the largest area of the file. Tick it if it is the boundary of the farm.'
      : '',
    outside > 0 ? `${countText(outside, 'device')} would be outside.` : '',
    holes > 0 ? `Its ${holes === 1 ? 'hole counts' : `${holes} holes count`} as farm land.` : '',
  ];
  return {
    row: {
      ...of,
      action: isChoice ? 'choose' : 'change',
      fields: [
        {
          field: 'boundary',
          from: land.boundary.length < 3 ? '' : ringText(land.boundary),
          to: ringText(ring),
        },
      ],
      why: why.filter(Boolean).join(' '),
    },
    deed: { do: 'boundary', ring },
  };
}

const ringText = (ring: readonly LatLng[]) =>
  `${areaText(areaHectares(ring))}, ${wholeText(ring.length)} corners`;

/** The same corners in the same order, from whichever one and either way round. */
export function isSameRing(one: readonly LatLng[], other: readonly LatLng[]): boolean {
  const count = one.length;
  if (count !== other.length) return false;
  const keys = one.map(keyOf);
  return [other, other.toReversed()].some((ring) => {
    const turned = ring.map(keyOf);
    const [first] = keys;
    return turned.some(
      (key, start) => key === first && keys.every((mine, index) => mine === turned[(start + index) % count]),
    );
  });
}

const keyOf = ({ lat, lng }: LatLng) => `${lat} ${lng}`;
