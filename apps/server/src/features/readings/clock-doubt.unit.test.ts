import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ClockWord, clockDoubt } from './clock-doubt.ts';

const MINUTE = 60_000;
const words = (...list: [farmId: number | null, aheadMinutes: number][]): ClockWord[] =>
  list.map(([farmId, minutes]) => ({ farmId, aheadMs: minutes * MINUTE }));

describe('our own clock is behind', () => {
  it.each([
    ['two gateways of a farm alone', words([1, 120], [1, 118]), [120, 2, 1, false]],
    ['two farms against one', words([1, 120], [2, 110], [3, 0]), [120, 2, 2, false]],
    ['most gateways of most farms', words([1, 120], [1, 119], [1, 2], [2, 121], [3, 0]), [120, 3, 2, false]],
    ['a gateway and the database', words([1, 60], [null, 62]), [62, 1, 1, true]],
    ['by forty days, told hours late', words([1, 57_600], [2, 57_300]), [57_600, 2, 2, false]],
  ])('by the word of %s', (_who, said, [minutes, senders, farms, database]) => {
    expect(clockDoubt(said)).toEqual({ byMs: Number(minutes) * MINUTE, senders, farms, database });
  });

  it.each([
    ['nobody', words()],
    ['one gateway', words([1, 120])],
    ['one gateway of many', words([1, 120], [1, 0], [2, 3], [3, -1])],
    [
      'a farm whose gateways are all wrong, among others',
      words([1, 120], [1, 120], [1, 120], [2, 0], [3, 0]),
    ],
    ['two that are wrong by quite other times', words([1, 120], [2, 50_000])],
    ['clocks within what is tolerated', words([1, 10], [2, 10], [3, 9])],
    ['what is late', words([1, -120], [2, -4000])],
    ['as many farms as say that it is right', words([1, 120], [2, 120], [3, 0], [4, 1])],
    ['the database alone', words([null, 120])],
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
        expect(clockDoubt(words(...list))).toBeNull();
        expect(clockDoubt(words(...list.toReversed()))).toBeNull();
      }),
    );
  });
});
