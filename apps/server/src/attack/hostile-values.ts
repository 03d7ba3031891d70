/** What forms never send, as text. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202eevil',
  '\ufeff',
  '👩‍👩‍👧‍👦'.repeat(20),
  'ﷺ'.repeat(100),
  '٣',
  'x'.repeat(10_000),
  '<script>alert(1)</script>',
  "' or 1=1 --",
  "'; drop table device; --",
  '%',
  '\\',
  '_%\\_',
  '../../../../etc/passwd',
  '${7*7}',
  '{{7*7}}',
  'a\r\nX-Evil: 1',
  '=cmd|calc!A1',
  'true',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  'Infinity',
  '1e999',
  '-1',
  '0',
  '1.5',
  '0x10',
  '99999999999999999999999',
  '9007199254740993',
  '2026-02-30',
  '31-12-9999',
  '0000-00-00',
  '9999-12-31T23:59:59Z',
  '-271821-04-20T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  'f'.repeat(24),
  'http://169.254.169.254/latest/meta-data',
  '(a+)+$',
  'a'.repeat(30) + '!',
  '[]',
  '{"a":1}',
  '1,2,3',
  'a@b',
];

/** Of these, what an address can hold. */
export const hostileInQuery = hostileTexts.filter((text) => !/\p{Cs}/u.test(text));

const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

/** In bodies besides: other types, other sizes, and members that JavaScript gives a meaning. */
export const hostileThings: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  [],
  [[]],
  [null],
  {},
  nested(31),
  nested(40),
  Array.from({ length: 5000 }, (_none, index) => index),
  JSON.parse('{"__proto__":{"isStaff":true}}'),
  { constructor: { prototype: { isStaff: true } } },
  { toString: 1, valueOf: 1, length: 1e9 },
  { $ne: null },
];

/** Members that must not be taken from anybody. */
export const strangeMembers: object = {
  ...JSON.parse('{"__proto__":{"isStaff":true}}'),
  isStaff: true,
  approved: true,
  farm_id: 1,
  ownerId: 1,
  type: 'SUBSCRIBER',
  'a.b': 1,
};

/** In place of a body. */
export const hostileBodies: readonly unknown[] = [null, [], 'text', 7, {}, [{}], nested(40), nested(1000)];
