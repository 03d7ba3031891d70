import { describe, expect, it, test } from 'vitest';
import { validatePlace, readPlace, tidyPlace } from './place-entry.ts';

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
  ])('%s, %s', (lat, lng, isNeeded, fieldErrors) => {
    expect(validatePlace({ lat, lng }, isNeeded)).toEqual(fieldErrors);
  });
});

test('blank is no place', () => {
  expect(readPlace({ lat: ' ', lng: '' })).toBeNull();
  expect(readPlace({ lat: '-43.75', lng: '172.02' })).toEqual({ lat: -43.75, lng: 172.02 });
});

test.each([
  ['a decimal comma', { lat: '-43,75', lng: '172,02' }, { lat: '-43.75', lng: '172.02' }],
  ['a pair in one box', { lat: '', lng: '-43.75, 172.02' }, { lat: '-43.75', lng: '172.02' }],
  ['degrees and minutes in both', { lat: "43°30'S", lng: '172 36 E' }, { lat: '-43.5', lng: '172.6' }],
  ['a longitude as latitude', { lat: '172°36′E', lng: '1' }, { lat: "172°36'E", lng: '1' }],
  ['what is none', { lat: 'here', lng: ' 172 ' }, { lat: 'here', lng: '172' }],
])('%s', (_what, entered, tidy) => {
  expect(tidyPlace(entered)).toEqual(tidy);
});
