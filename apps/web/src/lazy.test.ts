import { expect, test } from 'vitest';

/** What is there before any page, or is the page: without it nothing could stay, and the page says so. */
const FRAME = ['app/frame.tsx', 'app/home-route.tsx', 'app/shell.tsx', 'app/signed-in.tsx'];

const sources = import.meta.glob<string>(['./**/*.{ts,tsx}', '!./**/*.test.{ts,tsx}'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

test('what comes late leaves its page in place where it does not come: by lazyPart, lazyDialog or lazyAgain', () => {
  const found = Object.entries(sources).flatMap(([path, text]) =>
    /\blazy\b[^;]*\bfrom 'react'|\bReact\.lazy\b/.test(text) ? [path.slice('./'.length)] : [],
  );
  expect(found.sort()).toEqual([...FRAME, 'ui/lazy-again.ts']);
});
