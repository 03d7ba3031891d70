import type { Address, WaterApplication } from '../farms.ts';
import type { LatLng } from '../schemas.ts';
import { FARM_AREA_MAX_HA } from '../limits.ts';
import { all, atLeast, atMost, isNumber, line, lines, required, type Rule } from './form-rules.ts';
import { validateFarBoundary } from './far-place.ts';
import { areaHectares, areaText, BOUNDARY_POINTS, corners, crossesItself } from './polygon.ts';
import { validateWater } from './water-application.ts';

/** A number as it stands in a field: typed, or not typed yet. */
export type Entered = number | string | null | undefined;

/** What the farm form holds. The size follows from the boundary. */
export interface FarmForm {
  readonly name: string;
  readonly description?: string | undefined;
  readonly address: Pick<Address, 'fullAddress'>;
  readonly lat?: Entered;
  readonly lng?: Entered;
  readonly boundary: readonly LatLng[];
  readonly supplier?: string | undefined;
  readonly irrigationArea?: Entered;
  readonly walConfig?: WaterApplication | undefined;
}

export type FarmField = keyof FarmForm | 'size';
export type FarmErrors = Partial<Record<FarmField, string>>;

/** What was entered, as a number: blank counts as 0. spec 1 §5 */
export function toNumber(entered: Entered): number {
  return Number(entered ?? 0);
}

const place = (label: string, most: number): Rule =>
  all(required(label), isNumber(label), atLeast(label, -most, '°'), atMost(label, most, '°'));

const rules = {
  name: all(required('Name'), line('Name', 60)),
  description: lines('Description', 500),
  address: all(required('Access road'), line('Access road', 200)),
  lat: place('Latitude', 90),
  lng: place('Longitude', 180),
  supplier: line('Supplier', 40),
  irrigationArea: all(
    isNumber('Irrigation area'),
    atLeast('Irrigation area', 0, ' ha'),
    atMost('Irrigation area', 1e7, ' ha'),
  ),
} as const;

/** One sentence for each field that is wrong; none when the farm can be saved. Browser and server both ask here. */
export function validateFarm(form: FarmForm): FarmErrors {
  const fieldErrors = {
    name: rules.name(form.name),
    description: rules.description(form.description),
    address: rules.address(form.address.fullAddress),
    lat: rules.lat(entered(form.lat)),
    lng: rules.lng(entered(form.lng)),
    ...boundaryErrors(form),
    supplier: rules.supplier(form.supplier),
    irrigationArea: rules.irrigationArea(form.irrigationArea),
    walConfig: form.walConfig ? (validateWater(form.walConfig)?.sentence ?? null) : null,
  };
  return Object.fromEntries(Object.entries(fieldErrors).filter(([, sentence]) => sentence !== null));
}

/** What is wrong with a name and a place by themselves. */
export function validateFarmEntry({ name, lat, lng }: Pick<FarmForm, 'name' | 'lat' | 'lng'>): FarmErrors {
  const found = { name: rules.name(name), lat: rules.lat(entered(lat)), lng: rules.lng(entered(lng)) };
  return Object.fromEntries(Object.entries(found).filter(([, sentence]) => sentence !== null));
}

/** What is wrong with the boundary by itself, else that it lies far from the pin. */
function boundaryErrors({ lat, lng, boundary }: FarmForm): { size?: string; boundary?: string } {
  const own = validateBoundary(boundary);
  if (Object.keys(own).length > 0) return own;
  const pin = { lat: toNumber(lat), lng: toNumber(lng) };
  const isPlace = Math.abs(pin.lat) <= 90 && Math.abs(pin.lng) <= 180 && pin.lat !== 0 && pin.lng !== 0;
  const far = isPlace ? validateFarBoundary(pin, boundary) : null;
  return far === null ? {} : { boundary: far };
}

/** Typed text that is a number is one; blank is 0, which `required` refuses. */
function entered(value: Entered): unknown {
  const number = toNumber(value);
  return Number.isNaN(number) ? value : number;
}

/** What is wrong with a drawn boundary, also while it is being drawn. */
export function validateBoundary(boundary: readonly LatLng[]): { size?: string; boundary?: string } {
  if (boundary.length === 0) return { size: 'Size is required: draw the boundary on the map.' };
  if (boundary.length > BOUNDARY_POINTS.max)
    return { boundary: `The boundary can have at most ${BOUNDARY_POINTS.max} points.` };
  if (corners(boundary).length < BOUNDARY_POINTS.min)
    return { boundary: `The boundary needs at least ${BOUNDARY_POINTS.min} points.` };
  if (crossesItself(boundary))
    return { boundary: 'The boundary crosses or touches itself: move its points apart.' };
  const hectares = areaHectares(boundary);
  if (hectares > FARM_AREA_MAX_HA)
    return {
      size: `A farm can't be larger than ${areaText(FARM_AREA_MAX_HA)}: this boundary encloses ${areaText(hectares)}. Check its points.`,
    };
  if (hectares === 0) return { size: 'Size is required: the boundary encloses less than 10 m².' };
  return {};
}
