import { renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useGrowing } from './use-growing.ts';

const drawn = (total: number) => {
  const counts: number[] = [];
  const shown = renderHook(
    ({ of }) => {
      const count = useGrowing(of, 4);
      if (counts.at(-1) !== count) counts.push(count);
      return count;
    },
    { initialProps: { of: total } },
  );
  return { ...shown, counts };
};

test('a long list is drawn in steps, and whole in the end', async () => {
  const { result, counts } = drawn(10);
  expect(result.current).toBe(4);
  await waitFor(() => expect(result.current).toBe(10));
  expect(counts).toEqual([4, 8, 10]);
});

test('a short one is drawn at once, and one that grows later is drawn whole too', async () => {
  const { result, rerender } = drawn(3);
  expect(result.current).toBe(3);
  rerender({ of: 9 });
  await waitFor(() => expect(result.current).toBe(9));
});
