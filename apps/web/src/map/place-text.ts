import type { EnteredPlace } from './place-entry.ts';

type Axis = keyof EnteredPlace;
interface Part {
  /** What its letter says; null without one. */
  axis: Axis | null;
  degrees: number;
}

const NUMBER = String.raw`[-+]?\d+(?:\.\d*)?`;
const plainPair = new RegExp(String.raw`^(${NUMBER})°?\s*[,;\s]\s*(${NUMBER})°?$`);
/** Decimal commas: both numbers have one, or a blank or semicolon tells where the second begins. */
const commaPair = /^([-+]?\d+,\d+)°?(?:\s*;\s*|,?\s+)([-+]?\d+,\d+)°?$/;
/** -43,75 is one number: nobody writes whole degrees alone. */
const oneComma = /^[-+]?\d+,\d+°?$/;
/** Where the maps of others have the place in their addresses. */
const inAddress =
  /(?:@|[?&](?:q|query|ll|center|mlat)=(?:loc:)?|^geo:)(-?\d+(?:\.\d+)?)(?:,|%2C|&mlon=)(-?\d+(?:\.\d+)?)/i;
const DECIMALS = 1e7;

/** One kind of minus, of degree, minute and second marks; no blanks that can't be seen. */
const plain = (text: string) =>
  text
    .replaceAll(/[−‒–—]/g, '-')
    .replaceAll(/[º˚]/g, '°')
    .replaceAll(/[′’‘´`]/g, "'")
    .replaceAll(/''|[″”“]/g, '"')
    .replaceAll(/\p{Cf}/gu, '')
    .trim();

/**
 * A place of two numbers as other maps copy it: "-43.75, 172.02", "-43,75; 172,02", "43°30'S 172°36'E", "S43.5 E172.6", or in
 * the address of a map. Longitude first is turned round where it can't be a latitude. Null: it is no such pair.
 */
export function readPair(given: string): EnteredPlace | null {
  const text = plain(given);
  if (oneComma.test(text)) return null;
  const found = inAddress.exec(text) ?? plainPair.exec(text) ?? commaPair.exec(text);
  if (found) return inOrder(pointed(found[1] ?? ''), pointed(found[2] ?? ''));
  const [one, other, ...more] = markedParts(text) ?? [];
  if (!one || !other || more.length > 0 || (one.axis === null) !== (other.axis === null)) return null;
  if (one.axis === null) return inOrder(String(one.degrees), String(other.degrees));
  if (one.axis === other.axis) return null;
  const [lat, lng] = one.axis === 'lat' ? [one, other] : [other, one];
  return { lat: String(lat.degrees), lng: String(lng.degrees) };
}

/** One coordinate as typed: "-43,75", "43°30'S"; the text itself where it isn't one, for the validation error. */
export function readCoordinate(given: string, axis: Axis): string {
  const text = plain(given);
  if (oneComma.test(text)) return pointed(text).replace('°', '');
  const [part, ...more] = markedParts(text) ?? [];
  const isOne = part && more.length === 0 && (part.axis ?? axis) === axis;
  return isOne ? String(part.degrees) : text;
}

const pointed = (text: string) => text.replace(',', '.');

function inOrder(lat: string, lng: string): EnteredPlace {
  const isTurned = Math.abs(Number(lat)) > 90 && Math.abs(Number(lng)) <= 90;
  return isTurned ? { lat: lng, lng: lat } : { lat, lng };
}

/** Coordinates with letters, or with a mark of degrees; null: something is none. */
function markedParts(text: string): Part[] | null {
  const upper = text.replaceAll(/(\d),(?=\d)/g, '$1.').toUpperCase();
  if (!/^[-+\d.\s,;:°'"NSEW]+$/.test(upper) || !/[°'NSEW]/.test(upper)) return null;
  const pieces = /^[NSEW]/.test(upper)
    ? upper.split(/(?=[NSEW])/)
    : /[NSEW]/.test(upper)
      ? upper.split(/(?<=[NSEW])/)
      : upper.split(/[,;\s]+(?=[-+]?\d+(?:\.\d*)?\s*°)/);
  const parts = pieces.map((piece) => partOf(piece.replaceAll(/^[\s,;]+|[\s,;]+$/g, '')));
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
}

/** Degrees, or degrees and minutes, or with seconds as well; in degrees. */
function partOf(piece: string): Part | null {
  const form =
    /^([NSEW]?)\s*([-+]?)(\d+(?:\.\d*)?)\s*(?:[°:\s]\s*(\d+(?:\.\d*)?)\s*(?:[':\s]\s*(\d+(?:\.\d*)?)\s*"?|'?)|°?)\s*([NSEW]?)$/;
  const [, before = '', sign = '', whole = '', minutes, seconds, after = ''] = form.exec(piece) ?? [];
  const letter = before + after;
  if (whole === '' || letter.length > 1 || (letter !== '' && sign !== '')) return null;
  if (minutes !== undefined && (whole.includes('.') || Number(minutes) >= 60)) return null;
  if (seconds !== undefined && (minutes?.includes('.') || Number(seconds) >= 60)) return null;
  const size = Number(whole) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600;
  const isNegative = sign === '-' || letter === 'S' || letter === 'W';
  return {
    axis: letter === '' ? null : 'NS'.includes(letter) ? 'lat' : 'lng',
    degrees: Math.round((isNegative ? -size : size) * DECIMALS) / DECIMALS,
  };
}
