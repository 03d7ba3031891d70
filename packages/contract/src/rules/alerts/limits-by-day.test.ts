import { expect, it } from 'vitest';
import { smsOfDay } from './limits-by-day.ts';

const counted = (of: 'urgent' | 'important', isNew: boolean) =>
  Array.from({ length: 40 }, (_none, sent) => smsOfDay({ class: of, isNew }, sent).goes).filter(Boolean)
    .length;

it('ten SMS a day, three of them for urgent ones, and new urgent ones beyond that', () => {
  expect([counted('important', true), counted('important', false)]).toEqual([7, 7]);
  expect([counted('urgent', false), counted('urgent', true)]).toEqual([10, 30]);
});

it('the last of each sort says what still comes, once', () => {
  const notes = Array.from(
    { length: 40 },
    (_none, sent) => smsOfDay({ class: 'urgent', isNew: true }, sent).note,
  );
  expect(notes.filter(Boolean)).toEqual([
    'More alerts are in the app: only urgent ones still come by SMS today.',
    'More alerts are in the app: only new urgent ones still come by SMS today.',
    'More alerts are in the app: your 30 SMS of today are used.',
  ]);
  expect([6, 9, 29].map((sent) => notes[sent])).toEqual(notes.filter(Boolean));
});
