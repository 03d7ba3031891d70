import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareNatural, inNaturalOrder } from './natural-order.ts';

const sorted = (names: readonly string[]) => names.toSorted(compareNatural);

it.each([
  [
    ['A10', 'A2', 'A1'],
    ['A1', 'A2', 'A10'],
  ],
  [
    ['b1', 'A1', 'a2', 'B2'],
    ['A1', 'a2', 'b1', 'B2'],
  ],
  [
    ['L1-10', 'L1-9', 'L10-1', 'L2-1'],
    ['L1-9', 'L1-10', 'L2-1', 'L10-1'],
  ],
  [
    ['10', '9', '100', '1'],
    ['1', '9', '10', '100'],
  ],
  [
    ['Ōtaki 2', 'Otaki 3', 'Pātea', 'Otaki 1'],
    ['Otaki 1', 'Ōtaki 2', 'Otaki 3', 'Pātea'],
  ],
  [
    ['A01', 'A1', 'A001'],
    ['A001', 'A01', 'A1'],
  ],
])('%j are counted as %j', (names, expected) => {
  expect(sorted(names)).toEqual(expected);
});

it('is one order whatever the names were in before, and two different names are never equal', () => {
  const name = fc.oneof(fc.string({ maxLength: 6 }), fc.stringMatching(/^[AaBb]?[0-9]{0,3}[ -]?[0-9]{0,2}$/));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 12 }), (names) => {
      expect(sorted(names.toReversed())).toEqual(sorted(names));
      for (const one of names)
        for (const other of names) expect(compareNatural(one, other) === 0).toBe(one === other);
    }),
  );
});

it('keeps one order of units with the same name', () => {
  const units = [
    { name: 'A2', id: 2 },
    { name: 'A1', id: 3 },
    { name: 'A2', id: 1 },
  ];
  expect(inNaturalOrder(units).map(({ id }) => id)).toEqual([3, 1, 2]);
});
