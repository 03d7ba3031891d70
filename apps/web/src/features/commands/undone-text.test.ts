import { expect, test } from 'vitest';
import { undoneText } from './undone-text.ts';

test.each([
  [
    { cancelled: 1, uninhibited: 0, away: 0, asBefore: 0, stayInhibited: 0 },
    'Undone: it was not sent to 1 sprinkler.',
  ],
  [
    { cancelled: 0, uninhibited: 1, away: 0, asBefore: 0, stayInhibited: 0 },
    'Undone: Uninhibit was sent to 1 sprinkler.',
  ],
  [
    { cancelled: 0, uninhibited: 0, away: 0, asBefore: 1, stayInhibited: 1 },
    'Undone: 1 sprinkler stays inhibited, by another Inhibit, a paddock hold or its own word.',
  ],
  [
    { cancelled: 280, uninhibited: 20, away: 0, asBefore: 5, stayInhibited: 3 },
    'Undone: it was not sent to 280 sprinklers; Uninhibit was sent to 20 sprinklers; 3 sprinklers stay inhibited, by another Inhibit, a paddock hold or their own word; 2 sprinklers were not inhibited by it any more: as before.',
  ],
  [
    { cancelled: 0, uninhibited: 20, away: 8, asBefore: 0, stayInhibited: 0 },
    'Undone: Uninhibit was sent to 12 sprinklers; Uninhibit waits for 8 sprinklers whose gateway is away: if it is not back within minutes, those stay inhibited, and Commands says so.',
  ],
])('what undoing an Inhibit came to is told: %j', (reply, text) => {
  expect(undoneText({ ...reply, commandId: null })).toBe(text);
});
