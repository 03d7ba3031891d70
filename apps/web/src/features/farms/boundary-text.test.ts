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
test.each(['-43.74', '-43.74,', ', 172.04', '-43.74, 172.04, 0', 'here'])('"%s" is none', (line) => {
  expect(readCorners(`-43.7, 172\n${line}`)).toEqual({
    complaint: "Line 2 isn't a point: enter latitude, longitude.",
  });
});

test('what is written reads as the same', () => {
  const boundary = [
    { lat: -43.123_456_7, lng: 172 },
    { lat: -43.2, lng: -176.5 },
  ];
  expect(readCorners(cornersText(boundary))).toEqual({ boundary });
});
