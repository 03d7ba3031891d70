import { expect, it } from 'vitest';
import { fieldChanges } from './change-log.ts';

it.each([
  ['a switch that is switched off', { on: true }, { on: false }, [{ field: 'on', from: true, to: false }]],
  ['one that was never set', {}, { on: false }, [{ field: 'on', from: null, to: false }]],
  ['one that is switched on', {}, { on: true }, [{ field: 'on', from: null, to: true }]],
  ['members in another order', { at: { lat: 1, lng: 2 } }, { at: { lng: 2, lat: 1 } }, []],
  [
    'a text that is taken away',
    { note: 'gate' },
    { note: null },
    [{ field: 'note', from: 'gate', to: null }],
  ],
])('of %s the log has what changed', (_what, before, after, changes) => {
  expect(fieldChanges(before, after)).toEqual(changes);
});
