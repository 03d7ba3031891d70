import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeRedirect } from './redirect.ts';

const ORIGIN = 'https://farm.example';

test.each([
  ['/tanks', '/tanks'],
  ['/tanks?p=0042&tab=level#x', '/tanks?p=0042&tab=level#x'],
  ['/', '/'],
  [undefined, null],
  ['', null],
  ['tanks', null],
  ['//evil.example', null],
  ['/..//evil.example', null],
  ['/tanks/../..//evil.example', null],
  ['/.//evil.example', null],
  ['/\\evil.example', null],
  ['/\t/evil.example', null],
  ['\\\\evil.example', null],
  ['https://evil.example/', null],
  ['https://farm.example/tanks', null],
  ['javascript:alert(1)', null],
])('%j leads to %j', (wanted, leads) => {
  expect(safeRedirect(wanted, ORIGIN)).toBe(leads);
});

test('never leaves the site, whatever is asked', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `/${text}`),
        fc.webUrl(),
        fc.array(fc.constantFrom('/', '..', '.', '//', 'evil.example')).map((parts) => parts.join('')),
      ),
      (wanted) => {
        const leads = safeRedirect(wanted, ORIGIN);
        expect(leads === null || (new URL(leads, ORIGIN).origin === ORIGIN && !leads.startsWith('//'))).toBe(
          true,
        );
      },
    ),
  );
});
