import { expect, test } from 'vitest';
import { cornersText, readCorners } from './boundary-text.ts';

test.each([
  ['-43.74, 172.04', { lat: -43.74, lng: 172.04 }],
  ['  −43.74°; 172.04°  ', { lat: -43.74, lng: 172.04 }],
  ['-43.74\t172.', { lat: -43.74, lng: 172 }],
  ['-43,74 172,04', { lat: -43.74, lng: 172.04 }],
  // No latitude is 172.
  ['172.04, -43.74', { lat: -43.74, lng: 172.04 }],
])('"%s" is a point', (line, corner) => {
  expect(readCorners(`${line}\n\n`)).toEqual({ boundary: [corner] });
});

// Half a point isn't one on the equator or at Greenwich.
test.each(['-43.74', '-43.74,', ', 172.04', 'here'])('"%s" is none', (line) => {
  expect(readCorners(`-43.7, 172\n${line}`)).toEqual({
    fieldError: "Line 2 isn't a point: enter latitude, longitude.",
  });
});

test('what is written reads as the same', () => {
  const boundary = [
    { lat: -43.123_456_7, lng: 172 },
    { lat: -43.2, lng: -176.5 },
  ];
  expect(readCorners(cornersText(boundary))).toEqual({ boundary });
});

const square = [
  { lat: -43.6, lng: 171.6 },
  { lat: -43.6, lng: 171.7 },
  { lat: -43.7, lng: 171.7 },
];
const kml = (inside: string) =>
  `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${inside}</Document></kml>`;
const polygon = (coordinates: string) =>
  `<Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>${coordinates}</coordinates></LinearRing></outerBoundaryIs>
   <innerBoundaryIs><LinearRing><coordinates>0,0 1,0 1,1 0,0</coordinates></LinearRing></innerBoundaryIs></Polygon></Placemark>`;
const ring = [
  [171.6, -43.6, 9],
  [171.7, -43.6],
  [171.7, -43.7],
  [171.6, -43.6],
];

test.each([
  [
    'KML',
    kml(polygon('171.6,-43.6,0 171.7,-43.6,0\n 171.7,-43.7,0 171.6,-43.6,0')),
    'Read as KML, longitude first.',
  ],
  [
    // As drawing apps write it: styles with markup in CDATA, one coordinate a line, a byte order mark.
    'KML with styles',
    `\uFEFF${kml(`<name>Paddocks</name><Style id="a"><BalloonStyle><text><![CDATA[<h3>$[name]</h3>]]></text></BalloonStyle></Style>
      <!-- <Polygon><outerBoundaryIs><coordinates>0,0 90,0 90,80</coordinates></outerBoundaryIs></Polygon> -->
      ${polygon('\n  171.6,-43.6,0\n  171.7,-43.6,0\n  171.7,-43.7,0\n  171.6,-43.6,0\n')}`)}`,
    'Read as KML, longitude first.',
  ],
  [
    'a part of KML with a prefix and a bare &',
    '<kml:Placemark><kml:name>A & B</kml:name><kml:outerBoundaryIs id="x"><kml:coordinates>171.6,-43.6 171.7,-43.6 171.7,-43.7</kml:coordinates></kml:outerBoundaryIs></kml:Placemark>',
    'Read as KML, longitude first.',
  ],
  [
    'the inside of KML',
    '171.6,-43.6,0 171.7,-43.6,0 171.7,-43.7,0 171.6,-43.6,0',
    'Read with longitude first.',
  ],
  [
    'GeoJSON',
    JSON.stringify({ type: 'Feature', geometry: { type: 'Polygon', coordinates: [ring] } }),
    'Read as GeoJSON, longitude first.',
  ],
  [
    'a bare geometry of several',
    JSON.stringify({
      type: 'MultiPolygon',
      coordinates: [
        [ring],
        [
          [
            [0, 0],
            [0.001, 0],
            [0, 0.001],
            [0, 0],
          ],
        ],
      ],
    }),
    'Read as GeoJSON, longitude first. It holds 2 polygons: the largest was taken.',
  ],
  [
    'WKT',
    'SRID=4326;POLYGON ((171.6 -43.6, 171.7 -43.6, 171.7 -43.7, 171.6 -43.6), (171.61 -43.61, 171.62 -43.61, 171.61 -43.62, 171.61 -43.61))',
    'Read as WKT, longitude first.',
  ],
  [
    'WKT of several',
    'MULTIPOLYGON (((0 0, 0.001 0, 0 0.001, 0 0)), ((171.6 -43.6, 171.7 -43.6, 171.7 -43.7, 171.6 -43.6)))',
    'Read as WKT, longitude first. It holds 2 polygons: the largest was taken.',
  ],
  [
    'rows with a heading, closed',
    'Latitude,Longitude\n-43.6,171.6\n-43.6,171.7\n-43.7,171.7\n-43.6,171.6',
    undefined,
  ],
  [
    'longitude first, with heights',
    '171.6,-43.6,0\n171.7,-43.6,0\n171.7,-43.7,12',
    'Read with longitude first.',
  ],
  ['latitude first, with heights', '-43.6, 171.6, 0\n-43.6, 171.7, 0\n-43.7, 171.7, 12', undefined],
])('%s is a boundary', (_name, text, note) => {
  expect(readCorners(text)).toEqual({ boundary: square, ...(note && { note }) });
});

test.each([
  [
    'a place without a polygon',
    kml('<Placemark><Point><coordinates>171,-43</coordinates></Point></Placemark>'),
  ],
  [
    'metres of a map grid',
    '{"type":"Polygon","coordinates":[[[1500000,5170000],[1500100,5170000],[1500100,5170100]]]}',
  ],
  ['half of a file', '{"type":"Polygon","coordinates":[[['],
])('%s is none', (_name, text) => {
  expect(readCorners(text)).toEqual({
    fieldError: 'No polygon in degrees of latitude and longitude was found in this.',
  });
});
