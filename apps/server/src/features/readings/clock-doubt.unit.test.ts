import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClockReport, clockDoubt, clockLead } from './clock-doubt.ts';

const MINUTE = 60_000;
const reports = (...list: [farmId: number | null, aheadMinutes: number][]): ClockReport[] =>
  list.map(([farmId, minutes]) => ({ farmId, aheadMs: minutes * MINUTE }));

describe('our own clock is behind', () => {
  it.each([
    ['two gateways of a farm alone', reports([1, 120], [1, 118]), [120, 2, 1, false]],
    ['two farms against one', reports([1, 120], [2, 110], [3, 0]), [120, 2, 2, false]],
    [
      'most gateways of most farms',
      reports([1, 120], [1, 119], [1, 2], [2, 121], [3, 0]),
      [120, 3, 2, false],
    ],
    ['a gateway and the database', reports([1, 60], [null, 62]), [62, 1, 1, true]],
    ['by forty days, told hours late', reports([1, 57_600], [2, 57_300]), [57_600, 2, 2, false]],
  ])('by the word of %s', (_who, said, [minutes, senders, farms, database]) => {
    expect(clockDoubt(said)).toEqual({ byMs: Number(minutes) * MINUTE, senders, farms, database });
  });

  it.each([
    ['nobody', reports()],
    ['one gateway', reports([1, 120])],
    ['one gateway of many', reports([1, 120], [1, 0], [2, 3], [3, -1])],
    [
      'a farm whose gateways are all wrong, among others',
      reports([1, 120], [1, 120], [1, 120], [2, 0], [3, 0]),
    ],
    ['two that are wrong by quite other times', reports([1, 120], [2, 50_000])],
    ['clocks within what is tolerated', reports([1, 10], [2, 10], [3, 9])],
    ['what is late', reports([1, -120], [2, -4000])],
    ['as many farms as say that it is right', reports([1, 120], [2, 120], [3, 0], [4, 1])],
    ['the database alone', reports([null, 120])],
  ])('not by the word of %s', (_who, said) => {
    expect(clockDoubt(said)).toBeNull();
  });

  it('never while most farms say that it is right, whatever the others say and in whichever order', () => {
    const wrong = fc.integer({ min: -100_000, max: 100_000 });
    fc.assert(
      fc.property(fc.array(wrong, { maxLength: 6 }), fc.integer({ min: 7, max: 12 }), (others, right) => {
        const list = [
          ...others.map((minutes, farm): [number, number] => [farm, minutes]),
          ...Array.from({ length: right }, (_, farm): [number, number] => [100 + farm, -1]),
        ];
        expect(clockDoubt(reports(...list))).toBeNull();
        expect(clockDoubt(reports(...list.toReversed()))).toBeNull();
      }),
    );
  });
});

describe('our own clock is ahead', () => {
  it.each([
    ['three farms alone', reports([1, -120], [2, -119], [3, -122]), [120, 3, 3]],
    ['most of five farms', reports([1, -120], [2, -120], [3, -125], [4, 0], [5, -1]), [120, 3, 3]],
    ['by forty days', reports([1, -57_600], [2, -57_000], [3, -57_700]), [57_600, 3, 3]],
    ['farms of several gateways', reports([1, -60], [1, -60], [2, -60], [3, -61]), [60, 4, 3]],
  ])('by the word of %s', (_who, said, [minutes, senders, farms]) => {
    expect(clockLead(said)).toEqual({ byMs: Number(minutes) * MINUTE, senders, farms });
  });

  it.each([
    ['nobody', reports()],
    ['one farm, however many gateways it has', reports(...Array(50).fill([1, -120] as [number, number]))],
    ['two farms', reports([1, -120], [2, -120])],
    ['two farms and the database', reports([1, -120], [2, -120], [null, -120])],
    ['three that are late by quite other times', reports([1, -20], [2, -120], [3, -600])],
    ['as many farms as say that it is right', reports([1, -60], [2, -60], [3, -60], [4, 0], [5, 0], [6, 1])],
    [
      'farms of which each has a gateway that is in time',
      reports([1, -60], [1, 0], [2, -60], [2, 0], [3, -60]),
    ],
    ['what is tolerated', reports([1, -10], [2, -10], [3, -9])],
  ])('not by the word of %s', (_who, said) => {
    expect(clockLead(said)).toBeNull();
  });

  it('never by one farm, whatever it says, among others that are in time', () => {
    const minutes = fc.integer({ min: -100_000, max: 100_000 });
    fc.assert(
      fc.property(fc.array(minutes, { maxLength: 30 }), fc.integer({ min: 0, max: 5 }), (wrong, right) => {
        const own = wrong.map((ahead): [number, number] => [1, ahead]);
        const others = Array.from({ length: right }, (_, farm): [number, number] => [100 + farm, -1]);
        expect(clockLead(reports(...own, ...others))).toBeNull();
      }),
    );
  });
});
