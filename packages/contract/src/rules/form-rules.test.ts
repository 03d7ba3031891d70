import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  all,
  atLeast,
  atMost,
  customAsync,
  email,
  isAny,
  isEqual,
  isNumber,
  line,
  lines,
  maxLength,
  minLength,
  mobile,
  radioChannel,
  radioFarmId,
  required,
  type Rule,
} from './form-rules.ts';

const nothing = [undefined, null, ''];

describe.each<[string, Rule, string, unknown[], unknown[]]>([
  ['Required', required('Name'), 'Name is required.', ['x', 1, -1, ['x'], false], [...nothing, '  ', 0, []]],
  [
    'MinLen',
    minLength('Name', 3),
    'Name must have at least 3 characters.',
    [...nothing, 'abc', ' abc '],
    ['ab', ' ab  '],
  ],
  [
    'MaxLen',
    maxLength('Name', 3),
    'Name can have at most 3 characters.',
    [...nothing, 'abc', '  abc  '],
    ['abcd'],
  ],
  [
    'Email',
    email('E-mail'),
    'E-mail must be an e-mail address.',
    [...nothing, 'a@b.nz', ' ann.lee+x@farm.co.nz '],
    ['a', 'a@b', '@b.nz', 'a b@c.nz', 'a@b@c.nz', 'a@b..nz', 'a@b.nz.', 'a,b@c.nz', 'a<b@c.nz>', 'a@b,c.nz'],
  ],
  [
    'one line of text',
    line('Name', 40),
    "Name holds a character that can't be shown. Please type it again.",
    [...nothing, 'Māui 🚜', 'a\u202Eb', '<b>&amp;</b>', ' x\n'],
    ['a\u0000b', 'a\nb', 'a\tb', 'a\u0085b', '\u001B[31m', 'half \uD83D of it'],
  ],
  [
    'several lines of text',
    lines('Notes', 40),
    "Notes holds a character that can't be shown. Please type it again.",
    [...nothing, 'one\r\n\ttwo'],
    ['a\u0000b', 'a\u001Bb', '\uDE9C'],
  ],
  [
    'IsEqual',
    isEqual('It', () => 'x', 'the other'),
    'It must be the same as the other.',
    ['x'],
    ['y', ' x', ''],
  ],
  [
    'Mobile',
    mobile('Mobile'),
    'Mobile must have 8 to 10 digits.',
    [...nothing, '12345678', 1234567890],
    ['1234567', '12345678901', '+6421234567', '021 234 567'],
  ],
  [
    'GreaterThanOrEqual',
    atLeast('Depth', 1, ' mm'),
    "Depth can't be less than 1 mm.",
    [...nothing, '  ', 1, '1', 2],
    [0, 0.9, -1, '0', 'x'],
  ],
  [
    'LessThanOrEqual',
    atMost('Depth', 10, ' mm'),
    "Depth can't be more than 10 mm.",
    [...nothing, '  ', 10, '10', -1],
    [10.1, '11', 'x'],
  ],
  ['IsAny', isAny('a type', [1, 2]), 'Please choose a type.', [1, 2], [3, '1', null, undefined]],
  [
    'RadioIpcFarmId',
    radioFarmId(),
    'Farm ID must look like 01:01.',
    [...nothing, '01:01', 'aZ:9f', ' 01:01 '],
    ['1:1', '01-01', '01:01:01', '0_:01'],
  ],
  [
    'RadioIpcChannel',
    radioChannel(),
    'Channel must be 1 to 9 or 16 to 25.',
    [...nothing, 1, 9, 16, 25, '16'],
    [0, 10, 15, 26, 1.5, 'x'],
  ],
  [
    'a number',
    isNumber('Area'),
    'Area must be a number.',
    [...nothing, '  ', 0, '1.5', -2],
    ['x', '1,5', Number.NaN, '12 ha'],
  ],
])('%s', (_kind, rule, sentence, good, bad) => {
  it.each(good.map((value) => [value]))('passes %j', (value) => expect(rule(value)).toBeNull());
  it.each(bad.map((value) => [value]))('refuses %j', (value) => expect(rule(value)).toBe(sentence));
});

describe('CustomAsync', () => {
  const taken = (answer: boolean | Error) =>
    customAsync('Sorry, this email is already registered.', async () => {
      if (answer instanceof Error) throw answer;
      return answer;
    });

  it('says what is wrong when the answer is no', async () => {
    expect(await taken(false)('a@b.nz')).toBe('Sorry, this email is already registered.');
    expect(await taken(true)('a@b.nz')).toBeNull();
  });

  it('does not ask about nothing, and passes while nobody answers', async () => {
    expect(await taken(false)(' ')).toBeNull();
    expect(await taken(new Error('no network'))('a@b.nz')).toBeNull();
  });
});

describe('for any text', () => {
  const text = fc.string({ maxLength: 40 });

  it('lengths do not count the spaces around it', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 20 }), (entered, length) => {
        const padded = `  ${entered}\t`;
        expect(minLength('It', length)(padded)).toBe(minLength('It', length)(entered.trim()));
        expect(maxLength('It', length)(padded) === null).toBe(entered.trim().length <= length);
      }),
    );
  });

  it('several rules give the error of the first that has one', () => {
    fc.assert(
      fc.property(text, (entered) => {
        const rules = [required('It'), minLength('It', 5), maxLength('It', 9), mobile('It')];
        const first = rules.map((rule) => rule(entered)).find((sentence) => sentence !== null) ?? null;
        expect(all(...rules)(entered)).toBe(first);
      }),
    );
  });

  it('no rule throws, whatever it is given', () => {
    const rules = [
      required('It'),
      minLength('It', 3),
      maxLength('It', 3),
      email('It'),
      isEqual('It', () => 1, 'that'),
      mobile('It'),
      atLeast('It', 1),
      atMost('It', 1),
      isNumber('It'),
      isAny('it', [1]),
      radioFarmId(),
      radioChannel(),
    ];
    const value = fc.oneof(text, fc.double(), fc.boolean(), fc.constantFrom(null, undefined), fc.array(text));
    fc.assert(
      fc.property(value, (entered) => {
        for (const rule of rules) expect(typeof (rule(entered) ?? '')).toBe('string');
      }),
    );
  });
});
