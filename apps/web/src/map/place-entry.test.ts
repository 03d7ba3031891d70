import { describe, expect, it, test } from 'vitest';
import { complainOfPlace, readPair, readPlace } from './place-entry.ts';

describe('a typed place', () => {
  it.each([
    ['-43.75', '172.02', true, {}],
    ['', '', false, {}],
    ['', '', true, { lat: 'Latitude is required.', lng: 'Longitude is required.' }],
    ['-43.75', '', false, { lng: 'Longitude is required.' }],
    ['-91', '172', true, { lat: "Latitude can't be less than -90°." }],
    ['-43', '181', true, { lng: "Longitude can't be more than 180°." }],
    ['here', '172', true, { lat: 'Latitude must be a number.' }],
    ['0', '0', true, {}],
  ])('%s, %s', (lat, lng, isNeeded, complaints) => {
    expect(complainOfPlace({ lat, lng }, isNeeded)).toEqual(complaints);
  });
});

test.each([
  ['-43.75, 172.02', { lat: '-43.75', lng: '172.02' }],
  ['−43.75° 172.02°', { lat: '-43.75', lng: '172.02' }],
  ['-43.75;172.02', { lat: '-43.75', lng: '172.02' }],
  ['-43.75', null],
  ['-43.75, north', null],
])('%s pasted into one field', (text, pair) => {
  expect(readPair(text)).toEqual(pair);
});

test('blank is no place', () => {
  expect(readPlace({ lat: ' ', lng: '' })).toBeNull();
  expect(readPlace({ lat: '-43.75', lng: '172.02' })).toEqual({ lat: -43.75, lng: 172.02 });
});
