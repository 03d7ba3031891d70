import type { LatLng } from '@headrace/contract/schemas';
import type { ContentDevice } from './farm-content.repo.ts';
import { inOrder } from './in-order.ts';

interface MappedFarm {
  readonly name: string;
  readonly boundary: readonly LatLng[];
}

const folders = [
  ['gateway', 'Gateways'],
  ['repeater', 'Repeaters'],
  ['sprinkler', 'Sprinklers'],
  ['sensor', 'Sensors'],
  ['poi', 'Points of interest'],
] as const;

type Placed = ContentDevice & LatLng;
const placedOf = (devices: readonly ContentDevice[], kind: ContentDevice['kind']): Placed[] =>
  inOrder(devices.filter((one): one is Placed => one.kind === kind && one.lat !== null && one.lng !== null));

/** Closed and counterclockwise, longitude first, as both formats have it; none where the farm has no boundary. */
function ringOf(boundary: readonly LatLng[]): [number, number][] {
  const [first] = boundary;
  if (!first || boundary.length < 3) return [];
  const ring = boundary.map(({ lat, lng }): [number, number] => [lng, lat]);
  const counterclockwise = doubleArea(ring) < 0 ? [...ring.slice(0, 1), ...ring.slice(1).toReversed()] : ring;
  return [...counterclockwise, [first.lng, first.lat]];
}

const doubleArea = (ring: readonly (readonly [number, number])[]): number =>
  ring.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);

/** farm.geojson */
export function farmGeoJson({ name, boundary }: MappedFarm, devices: readonly ContentDevice[]): string {
  const ring = ringOf(boundary);
  const area = feature({ kind: 'boundary', name }, { type: 'Polygon', coordinates: [ring] });
  const points = folders.flatMap(([kind]) =>
    placedOf(devices, kind).map(({ name: of, serial_number: serial, lat, lng }) =>
      feature({ kind, name: of, serial }, { type: 'Point', coordinates: [lng, lat] }),
    ),
  );
  const features = ring.length > 0 ? [area, ...points] : points;
  // A line for each: people look at it, and programs compare it.
  const lines = features.map((one) => JSON.stringify(one)).join(',\n');
  return `{"type":"FeatureCollection","features":[\n${lines}\n]}\n`;
}

const feature = (properties: object, geometry: object) => ({ type: 'Feature', properties, geometry });

/** farm.kml */
export function farmKml({ name, boundary }: MappedFarm, devices: readonly ContentDevice[]): string {
  const ring = ringOf(boundary);
  const corners = ring.map((place) => place.join(',')).join(' ');
  const area = `<Placemark><name>${xml(name)}</name><Polygon><outerBoundaryIs><LinearRing><coordinates>${corners}</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>`;
  const parts = folders.flatMap(([kind, title]) => {
    const marks = placedOf(devices, kind).map(placemark);
    return marks.length === 0 ? [] : [`<Folder><name>${title}</name>`, ...marks, '</Folder>'];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${xml(name)}</name>`,
    ...(ring.length > 0 ? [area] : []),
    ...parts,
    '</Document></kml>',
    '',
  ].join('\n');
}

/** The serial number tells units of one name apart. */
const placemark = ({ name, serial_number: serial, lat, lng }: Placed) =>
  `<Placemark><name>${xml(name)}</name>${
    serial && `<ExtendedData><Data name="serial"><value>${xml(serial)}</value></Data></ExtendedData>`
  }<Point><coordinates>${lng},${lat}</coordinates></Point></Placemark>`;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Characters that XML can't hold are left out. */
const xml = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll(/[&<>"]/g, (mark) => entities[mark] ?? mark);
