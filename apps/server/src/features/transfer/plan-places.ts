import type { Permissions } from '@headrace/contract/permissions';
import { validateDevice } from '@headrace/contract/rules/device-form';
import { distanceKm } from '@headrace/contract/rules/distance';
import { farFrom, kmText, type Land, validateFarPlace } from '@headrace/contract/rules/far-place';
import { shown } from '@headrace/contract/rules/files/file-units';
import { innerPoint } from '@headrace/contract/rules/inner-point';
import { areaSquareMetres } from '@headrace/contract/rules/polygon';
import type { LatLng } from '@headrace/contract/schemas';
import type { ContentDevice } from './farm-content.repo.ts';
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
  const { boundary, paddocks } = divided(content.areas);
  const matcher = createPlaceMatcher(farm.devices, (kind) => mayOf(permissions, kind, 'Read'));
  const context = { farm, permissions, matcher, added: { count: 0 } };
  return [
    ...content.refused.map(({ line, name, why }) => leftOut({ line, name, kind: 'place' }, why)),
    ...(boundary
      ? [await planBoundary(boundary, { ...farm, permissions, isAsked: paddocks.length > 0 })]
      : []),
    ...(await mapInTurns(content.points, (point) => planPoint(point, context))),
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
    return refuse(`You may not see ${kindLabels[kind]}s of this farm.`);
  if (name === '' && serial === '')
    return refuse('It has no name: it can’t be said what stands there. Give it one.');
  const match = matcher.find({ name, serial, kind, ...at });
  if (match.is === 'unclear') return refuse(match.why);
  if (match.is === 'hidden') return refuse('You may not see what has this name.');
  if (match.is === 'unknown' && kind && kind !== 'poi')
    return refuse(
      `The farm has no ${kindLabels[kind]} ${shown(name || serial)}, and a file adds none: only sprinklers, repeaters and points of interest.${didYouMean(matcher.alike(name, kind))}`,
    );
  if (match.is === 'unknown') return planNewPoint({ line, name, at, isAsked: kind === null }, context);
  const { device } = match;
  const before = matcher.claim(device, line);
  if (before !== null)
    return refuse(
      `Line ${before} is about ${kindLabels[device.kind]} ${device.name} already. Take one of them out.`,
      device.kind,
    );
  return planMove(device, { line, at }, land, permissions);
}

function planMove(
  device: ContentDevice,
  { line, at }: { line: number; at: LatLng },
  land: Land,
  permissions: Permissions,
): PlanItem {
  const { kind, name } = device;
  const was = placeOf(device);
  const of = { line, kind, name, ...(was && { was }), place: at };
  if (was && was.lat === at.lat && was.lng === at.lng)
    return { row: { ...of, action: 'same', fields: [], why: '' }, deed: null };
  if (!mayMove(permissions, device)) return leftOut(of, `You may not move ${kindLabels[kind]}s.`, of);
  const impossible = validateFarPlace(at, land);
  if (impossible !== null) return leftOut(of, impossible, of);
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
  };
}

const movedText = (was: LatLng | null, at: LatLng): string => {
  if (!was) return 'It gets a place.';
  const km = distanceKm(was, at);
  return `It moves ${km < 1 ? `${Math.max(1, Math.round(km * 1000))} m` : kmText(km)}.`;
};

interface NewPoint {
  readonly line: number;
  readonly name: string;
  readonly at: LatLng;
  /** Only where the person says so: the file doesn't say that it is one. */
  readonly isAsked: boolean;
  readonly ring?: readonly LatLng[];
}

function planNewPoint(
  { line, name, at, isAsked, ring }: NewPoint,
  { farm: { land }, permissions, added, matcher }: Context,
): PlanItem {
  const of = { line, kind: 'poi', name, place: at, ...(ring && { ring: [...ring] }) };
  if (!mayOf(permissions, 'poi', 'Create')) return leftOut(of, 'You may not add points of interest.', of);
  const [fault] = Object.values(validateDevice('poi', { name, ...at }));
  const impossible = fault ?? validateFarPlace(at, land);
  if (impossible !== null) return leftOut(of, impossible, of);
  const far = farFrom(at, land, null);
  const isAdded = far === null && !isAsked;
  if (isAdded) added.count += 1;
  if (isAdded && added.count > NEW_POINTS_MAX)
    return leftOut(of, `A file adds ${NEW_POINTS_MAX} points of interest at most.`, of);
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
function planPaddock({ line, name, ring }: FileArea, context: Context): PlanItem {
  const at = innerPoint(ring);
  const refuse = (why: string) => leftOut({ line, name, kind: 'poi' }, why, { place: at, ring: [...ring] });
  if (name === '') return refuse('It has no name. Give it one.');
  if (!mayOf(context.permissions, 'poi', 'Read'))
    return refuse('You may not see points of interest of this farm.');
  const match = context.matcher.find({ name, serial: '', kind: 'poi', ...at });
  if (match.is === 'unclear') return refuse(match.why);
  if (match.is !== 'found') return planNewPoint({ line, name, at, isAsked: false, ring }, context);
  const before = context.matcher.claim(match.device, line);
  if (before !== null)
    return refuse(`${called(match.device)} is on line ${before} already. Take one of them out.`);
  const item = planMove(match.device, { line, at }, context.farm.land, context.permissions);
  return { ...item, row: { ...item.row, ring: [...ring] } };
}
