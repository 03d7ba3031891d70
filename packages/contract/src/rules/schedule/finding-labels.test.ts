import { expect, it } from 'vitest';
import { findingText } from './finding-labels.ts';
import type { Finding } from './plan.ts';

it.each<[Omit<Finding, 'severity'>, string]>([
  [
    {
      code: 'doesNotFit',
      group: 'North/2',
      figures: { needMin: 2884, cycleMin: 2880, longestMin: 27, linesThatFit: 2 },
    },
    'Group North/2 does not fit: it needs 2,884 min, and the cycle has 2,880. 27 min each fit, or 2 lines do.',
  ],
  [
    {
      code: 'doesNotFit',
      group: 'North',
      figures: { needMin: 3000, cycleMin: 2880, longestMin: 0, linesThatFit: 0 },
    },
    'Group North does not fit: it needs 3,000 min, and the cycle has 2,880. Choose fewer sprinklers.',
  ],
  [
    {
      code: 'doesNotFitLimits',
      figures: { cycleMin: 1440, lineMin: 616, flowMin: 280, windowMin: 600, longestMin: 27 },
    },
    'The plan does not fit into the limits: the longest line takes 616 min, the flow 280 min, and 600 are allowed. 27 min each fit.',
  ],
  [
    { code: 'nearlyDaily', group: 'North', figures: { needMin: 1442, longestMin: 29 } },
    'Group North needs 1,442 min, a little more than a day, so all water every second day only. 29 min each fit into a day.',
  ],
  [
    { code: 'overPump', figures: { lps: 8, maxLps: 6.5, fromMin: 1500, toMin: 1556 } },
    'Up to 8 L/s are drawn and the pump gives 6.5, first from 01:00 to 01:56.',
  ],
  [
    { code: 'overMain', main: 'West', figures: { lps: 8, maxLps: 6.5, fromMin: 1500, toMin: 1556 } },
    'Main West: up to 8 L/s are drawn and it gives 6.5, first from 01:00 to 01:56.',
  ],
  [
    { code: 'overMain', main: 'West', unit: 'A1', group: 'A', figures: { lps: 4, maxLps: 3 } },
    'Sprinkler A1 alone draws 4 L/s, and main West gives 3.',
  ],
  [
    { code: 'runoff', group: 'North', figures: { mm: 18.62, mostMm: 15, cycleMin: 1440 } },
    'Group North gets 18.6 mm at one go: on heavy soil or a slope, what is over 15 mm runs off.',
  ],
  [
    {
      code: 'twiceAtOnce',
      unit: 'A3',
      group: 'East',
      otherGroup: 'North',
      figures: { fromMin: 56, toMin: 84 },
    },
    'Sprinkler A3 would water for East and North at once, at 00:56. Take it out of one of the groups.',
  ],
  [
    { code: 'twice', unit: 'A3', figures: { mm: 9.654 } },
    'Sprinkler A3 is in more than one of the groups and waters in each: 9.7 mm in all.',
  ],
])('%o is said with its figures and the remedy', (finding, text) => {
  expect(findingText({ severity: 'error', ...finding })).toBe(text);
});
