import { expect, it } from 'vitest';
import { type DigestLine, digestText, digestTitle } from './digest.ts';

const part = (lines: DigestLine[], count = lines.length) => ({ lines, count });
const line = { what: 'Tank low: Trough 4', since: '05:40', until: null, by: null };

it('says what is open, what came and went, and what was held back and why', () => {
  expect(
    digestText({
      open: part([line, { ...line, what: 'Low battery: A1', by: 'Mere' }]),
      ended: part([
        { ...line, what: 'Out of contact: Home shed', since: '02:10', until: '03:05', by: 'Ana' },
        { ...line, until: '06:10', isLate: true },
        { ...line, until: '06:12', by: 'Ana', isUnwatched: true },
      ]),
      heldBack: [
        { why: 'quiet hours', count: 3 },
        { why: 'the limit of SMS a day', count: 1 },
      ],
      unheard: { count: 7, of: 40, until: '05:41' },
    }),
  ).toBe(
    `Open now:
- Tank low: Trough 4, since 05:40, nobody has answered
- Low battery: A1, since 05:40, Mere is on it

Over since yesterday:
- Out of contact: Home shed, 02:10 to 03:05, Ana was on it
- Tank low: Trough 4, 05:40 to 06:10, seen late: nobody was told
- Tank low: Trough 4, 05:40 to 06:12, no longer watched since

Not known:
- whether 7 of 40 sprinklers watered, in the watering that ended at 05:41

Told in the bell alone:
- 3 because of your quiet hours
- 1 because of your limit of SMS a day`,
  );
});

it('names the first and counts the rest', () => {
  const open = part(Array(8).fill(line), 5000);
  const text = digestText({ open, ended: part([]), heldBack: [], unheard: null });
  expect(text.split('\n')).toHaveLength(10);
  expect(text).toContain('- and 4992 more');
});

it('fits its title into 60 characters, the farm’s name cut first', () => {
  expect(digestTitle('Home Block', 2, 3)).toBe('Home Block: alerts, 2 open, 3 over');
  expect(digestTitle('Home Block', 0, 0)).toBe('Home Block: alerts, nothing open');
  const long = digestTitle('A very long farm name that goes on and on and on', 12, 345);
  expect(long).toHaveLength(60);
  expect(long.endsWith(': alerts, 12 open, 345 over')).toBe(true);
});
