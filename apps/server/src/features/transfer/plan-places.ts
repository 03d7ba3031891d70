import type { Permissions } from '@headrace/contract/permissions';
import { validateDevice } from '@headrace/contract/rules/device-form';
import { distanceKm } from '@headrace/contract/rules/distance';
import { farFrom, kmText, type Land, validateFarPlace } from '@headrace/contract/rules/far-place';
import { innerPoint } from '@headrace/contract/rules/inner-point';
import { areaSquareMetres } from '@headrace/contract/rules/polygon';
import type { LatLng } from '@headrace/contract/schemas';
import type { ContentDevice } from './farm-content.repo.ts';
import { atName, atPlace, atSerial, mayNot, onLine } from './fault-place.ts';
import { called, createPlaceMatcher, type PlaceMatcher } from './match-places.ts';
import { didYouMean } from './nearest.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { kindLabels, kindOf, mayMove, mayOf } from './place-kinds.ts';
import { planBoundary } from './plan-boundary.ts';
import { type PlanItem, placeOf } from './plan-items.ts';
import type { FileArea, FileContent, FilePoint } from './reading/file-content.ts';

export interface PlacesFarm {
  readonly land: Land;
  readonly devices: readonly ContentDevice[];
}

/** Points of interest that one file adds: more are hardly meant. Those that are only offered count once they are ticked. */
export const NEW_POINTS_MAX = 500;

/** What each place of a file would do to the farm as it is: where devices stand, new points of interest, and the farm's boundary. */
export async function planPlaces(
  content: FileContent,
  farm: PlacesFarm,
  permissions: Permissions,
): Promise<PlanItem[]> {
  const { areas, points, refused } = content;
  // A list of sprinklers has none: its farm's thousands need no index of places.
  if (areas.length + points.length + refused.length === 0) return [];
  const { boundary, paddocks } = divided(areas);
  const matcher = createPlaceMatcher(farm.devices, (kind) => mayOf(permissions, kind, 'Read'));
  const context = { farm, permissions, matcher, added: { count: 0 } };
  return [
    ...refused.map(({ line, name, why }) => leftOut({ line, name, kind: 'place' }, why)),
    ...(boundary
      ? [await planBoundary(boundary, { ...farm, permissions, isAsked: paddocks.length > 0 })]
      : []),
    ...(await mapInTurns(points, (point) => planPoint(point, context))),
    ...(await mapInTurns(paddocks, (area) => planPaddock(area, context))),
  ];
}

/**
 * An only area is the farm's land, and so is one that says so. Of several the largest may be; all of them are places in the farm, each
 * with its name.
 */
function divided(areas: readonly FileArea[]): { boundary: FileArea | null; paddocks: readonly FileArea[] } {
  const said = areas.find(({ kind }) => kind === 'boundary');
  if (said) return { boundary: said, paddocks: areas.filter((area) => area !== said) };
  const [only, ...others] = areas;
  if (only && others.length === 0) return { boundary: only, paddocks: [] };
  return { boundary: largest(areas), paddocks: areas };
}

const largest = (areas: readonly FileArea[]): FileArea | null =>
  areas
    .map((area) => ({ area, size: areaSquareMetres(area.ring) }))
    .reduce<{ area: FileArea; size: number } | null>(
      (best, one) => (best && best.size >= one.size ? best : one),
      null,
    )?.area ?? null;

interface Context {
  readonly farm: PlacesFarm;
  readonly permissions: Permissions;
  readonly matcher: PlaceMatcher;
  /** Points of interest so far that are added by themselves. */
  readonly added: { count: number };
}

export function leftOut(
  { line, name, kind }: { line: number; name: string; kind: string },
  why: string,
  more: Partial<PlanItem['row']> = {},
): PlanItem {
  return { row: { line, kind, name, action: 'left out', fields: [], why, ...more }, deed: null };
}

function planPoint(point: FilePoint, context: Context): PlanItem {
  const {
    farm: { land },
    matcher,
    permissions,
  } = context;
  const { line, name, serial } = point;
  const kind = kindOf(point);
  const at = { lat: point.lat, lng: point.lng };
  const refuse = (why: string, of: string = kind ?? 'place') =>
    leftOut({ line, name, kind: of }, why, { place: at });
  if (kind && !mayOf(permissions, kind, 'Read'))
    return refuse(onLine(point, mayNot(`see ${kindLabels[kind]}s of this farm`)));
  if (name === '' && serial === '')
    return refuse(atName(point, 'It has no name: it can’t be said what stands there. Give it one.'));
  const match = matcher.find({ name, serial, kind, ...at });
  const whatOf = (why: string) => (name === '' ? atSerial(point, why) : atName(point, why));
  if (match.is === 'unclear') return refuse(match.bySerial ? atSerial(point, match.why) : whatOf(match.why));
  if (match.is === 'hidden') return refuse(whatOf(mayNot('see what has this name')));
  if (match.is === 'unknown' && kind && kind !== 'poi')
    return refuse(
      whatOf(
        `The farm has no such ${kindLabels[kind]}, and a file adds none: only sprinklers, repeaters and points of interest.${didYouMean(matcher.alike(name, kind)) || ' Add it on the farm first.'}`,
      ),
    );
  if (match.is === 'unknown') return planNewPoint({ ...point, isAsked: kind === null }, context);
  const { device } = match;
  const before = matcher.claim(device, line);
  const item = planMove(device, point, land, permissions);
  if (before === null) return item;
  const what = `${kindLabels[device.kind]} ${device.name}`;
  return instead(item, (way) => whatOf(`Line ${before} is about ${what} already. ${way}`));
}

/** Of a device that a line before has a place of; `why`: the sentence, with what to do. */
function instead(item: PlanItem, why: (way: string) => string): PlanItem {
  const { row } = item;
  if (row.action === 'left out') return item;
  const stays = why('Untick that one to leave it where it is.');
  if (row.action === 'same') return { row: { ...row, action: 'left out', why: stays }, deed: null };
  const asked = row.action === 'choose' ? ` ${row.why}` : '';
  return {
    ...item,
    row: { ...row, action: 'choose', why: `${why('Tick this one to have it instead.')}${asked}` },
  };
}

function planMove(device: ContentDevice, point: Spot, land: Land, permissions: Permissions): PlanItem {
  const { kind, name } = device;
  const { line, lat, lng } = point;
  const at = { lat, lng };
  const was = placeOf(device);
  const of = { line, kind, name, ...(was && { was }), place: at };
  if (was && was.lat === at.lat && was.lng === at.lng)
    return { row: { ...of, action: 'same', fields: [], why: '' }, deed: null };
  if (!mayMove(permissions, device)) return leftOut(of, onLine(of, mayNot(`move ${kindLabels[kind]}s`)), of);
  const impossible = validateFarPlace(at, land);
  if (impossible !== null) return leftOut(of, atPlace(point, impossible), of);
  const far = farFrom(at, land, null);
  const fields = [
    { field: 'lat', from: was ? String(was.lat) : '', to: String(at.lat) },
    { field: 'lng', from: was ? String(was.lng) : '', to: String(at.lng) },
  ].filter(({ from, to }) => from !== to);
  return {
    row: {
      ...of,
      action: far === null ? 'change' : 'choose',
      fields,
      why: far === null ? movedText(was, at) : `This place is ${far}. Tick it if that is right.`,
    },
    deed: { do: 'move', device, place: at },
    claims: [`id ${device.id}`],
  };
}

const movedText = (was: LatLng | null, at: LatLng): string => {
  if (!was) return 'It gets a place.';
  const km = distanceKm(was, at);
  return `It moves ${km < 1 ? `${Math.max(1, Math.round(km * 1000))} m` : kmText(km)}.`;
};

/** A place as the file says it. */
type Spot = Pick<FilePoint, 'line' | 'name' | 'at' | 'lat' | 'lng'>;

interface NewPoint extends Spot {
  /** Only where the person says so: the file doesn't say that it is one. */
  readonly isAsked: boolean;
  readonly ring?: readonly LatLng[];
}

function planNewPoint(point: NewPoint, { farm: { land }, permissions, added, matcher }: Context): PlanItem {
  const { line, name, lat, lng, isAsked, ring } = point;
  const at = { lat, lng };
  const of = { line, kind: 'poi', name, place: at, ...(ring && { ring: [...ring] }) };
  if (!mayOf(permissions, 'poi', 'Create'))
    return leftOut(of, onLine(of, mayNot('add points of interest')), of);
  const faults = validateDevice('poi', { name, ...at });
  if (faults.name !== undefined) return leftOut(of, atName(of, faults.name), of);
  const impossible = faults.lat ?? faults.lng ?? validateFarPlace(at, land);
  if (impossible !== null) return leftOut(of, atPlace(point, impossible), of);
  const far = farFrom(at, land, null);
  const isAdded = far === null && !isAsked;
  if (isAdded) added.count += 1;
  if (isAdded && added.count > NEW_POINTS_MAX)
    return leftOut(
      of,
      atName(of, `A file adds ${NEW_POINTS_MAX} points of interest at most. Import it in parts.`),
      of,
    );
  const asked = isAsked
    ? `Nothing on the farm has this name.${didYouMean(matcher.alike(name, null))} Tick it to add a point of interest.`
    : '';
  return {
    row: {
      ...of,
      action: isAdded ? 'add' : 'choose',
      fields: [
        { field: 'lat', from: '', to: String(at.lat) },
        { field: 'lng', from: '', to: String(at.lng) },
      ],
      why: far === null ? asked : `This place is ${far}. Tick it if that is right.`,
    },
    deed: { do: 'add point', name, place: at },
  };
}

/** An area within the farm: a point of interest at its middle. */
function planPaddock(area: FileArea, context: Context): PlanItem {
  const { line, name, ring } = area;
  const at = innerPoint(ring);
  const spot: Spot = { line, name, at: 'outline', ...at };
  const refuse = (why: string) => leftOut({ line, name, kind: 'poi' }, why, { place: at, ring: [...ring] });
  if (name === '') return refuse(atName(area, 'It has no name. Give it one.'));
  if (!mayOf(context.permissions, 'poi', 'Read'))
    return refuse(onLine(area, mayNot('see points of interest of this farm')));
  const match = context.matcher.find({ name, serial: '', kind: 'poi', ...at });
  if (match.is === 'unclear') return refuse(atName(area, match.why));
  if (match.is !== 'found') return planNewPoint({ ...spot, isAsked: false, ring }, context);
  const before = context.matcher.claim(match.device, line);
  const moved = planMove(match.device, spot, context.farm.land, context.permissions);
  const item = { ...moved, row: { ...moved.row, ring: [...ring] } };
  if (before === null) return item;
  return instead(item, (way) => atName(area, `${called(match.device)} is on line ${before} already. ${way}`));
}
