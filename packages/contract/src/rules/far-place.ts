import { FAR_KM } from '../limits.ts';
import type { LatLng } from '../schemas.ts';
import { distanceKm, kmFromLand } from './distance.ts';

/** Of a farm, as far as places are judged by it. */
export interface Land extends LatLng {
  readonly name: string;
  readonly boundary: readonly LatLng[];
}
interface Gateway extends LatLng {
  readonly name: string;
}

/** From its boundary, 0 within it; from its pin where none is drawn. km */
export const kmFromFarm = (place: LatLng, { boundary, ...pin }: Omit<Land, 'name'>): number =>
  boundary.length < 3
    ? distanceKm(place, pin)
    : Math.min(kmFromLand(place, boundary), distanceKm(place, pin));

/** A blank place is kept as 0, 0: of such a farm nothing is known that a place could be far from. */
const isNowhere = ({ lat, lng, boundary }: Omit<Land, 'name'>) =>
  lat === 0 && lng === 0 && boundary.length < 3;

/** What a device's place is too far from for it to be meant: "2.4 km from Methven Dairy"; null: it is near enough. */
export function farFrom(place: LatLng, farm: Land, gateway: Gateway | null): string | null {
  const fromFarm = isNowhere(farm) ? 0 : kmFromFarm(place, farm);
  const isFar = fromFarm > (farm.boundary.length < 3 ? FAR_KM.fromPin : FAR_KM.fromBoundary);
  if (isFar) return `${kmText(fromFarm)} from ${farm.name}`;
  const fromGateway = gateway ? distanceKm(place, gateway) : 0;
  if (gateway && fromGateway > FAR_KM.fromGateway)
    return `${kmText(fromGateway)} from its gateway ${gateway.name}`;
  return null;
}

/** What to ask before a device is put where it hardly can be; null: nothing. */
export function farPlaceQuestion(place: LatLng, farm: Land, gateway: Gateway | null): string | null {
  const far = farFrom(place, farm, gateway);
  return far === null ? null : `This place is ${far}. Save it there?`;
}

/** The same of several devices at once. `far`: those that are, with what from. */
export function farPlacesQuestion(far: readonly { name: string; from: string }[]): string | null {
  const [first, ...others] = far;
  if (!first) return null;
  if (others.length === 0) return `${first.name} would stand ${first.from}. Save it there?`;
  return `${far.length} places are far away. The first: ${first.name} would stand ${first.from}. Save them there?`;
}

/** Why a device can't stand there; null: it may. What is only unlikely people are asked about. */
export function validateFarPlace(place: LatLng, farm: Land): string | null {
  const km = isNowhere(farm) ? 0 : kmFromFarm(place, farm);
  return km > FAR_KM.impossible
    ? `A device can't stand more than ${FAR_KM.impossible} km from its farm: this place is ${kmText(km)} from ${farm.name}. Please change latitude and longitude.`
    : null;
}

/** What to ask before a farm's land is drawn away from its pin; null: nothing. */
export function farBoundaryQuestion(pin: LatLng, boundary: readonly LatLng[]): string | null {
  if (boundary.length < 3) return null;
  const km = kmFromLand(pin, boundary);
  return km > FAR_KM.fromBoundary ? `The boundary is ${kmText(km)} from the farm's pin. Save it so?` : null;
}

/** Why a farm's land can't be there; null: it may. What is only unlikely people are asked about. */
export const validateFarBoundary = (pin: LatLng, boundary: readonly LatLng[]): string | null =>
  boundary.length >= 3 && kmFromLand(pin, boundary) > FAR_KM.impossible
    ? `The boundary can't be more than ${FAR_KM.impossible} km from the farm's pin: it is ${kmText(kmFromLand(pin, boundary))} away. Move the pin or the boundary.`
    : null;

/** "2.4 km", "290 km", "18,900 km" */
export function kmText(km: number): string {
  const digits = km < 10 ? 1 : 0;
  return `${new Intl.NumberFormat('en-NZ', { maximumFractionDigits: digits }).format(km)} km`;
}
