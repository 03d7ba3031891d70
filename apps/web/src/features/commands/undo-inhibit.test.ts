import { expect, test } from 'vitest';
import { undoneText } from './undo-inhibit.ts';

test.each([
  [{ cancelled: 1, uninhibited: 0, asBefore: 0 }, 'Undone: it was not sent to 1 sprinkler.'],
  [{ cancelled: 0, uninhibited: 1, asBefore: 0 }, 'Undone: Uninhibit was sent to 1 sprinkler.'],
  [
    { cancelled: 280, uninhibited: 20, asBefore: 2 },
    'Undone: it was not sent to 280 sprinklers; Uninhibit was sent to 20 sprinklers; 2 sprinklers were not inhibited by it alone: as before.',
  ],
])('what undoing an Inhibit came to is told: %j', (reply, text) => {
  expect(undoneText({ ...reply, commandId: null })).toBe(text);
});
