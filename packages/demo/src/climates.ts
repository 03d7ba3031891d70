import type { Climate } from './profile.ts';

// Rounded from the long-term means of the nearest NIWA and Bureau of Meteorology stations: enough for a chart to look right.

/** Lincoln and Rakaia: about 620 mm a year, dry nor'west summers. */
export const canterburyPlains: Climate = {
  hemisphere: 'south',
  meanC: 11.6,
  seasonalSwingC: 5.6,
  dailySwingC: 5.5,
  frontsPerMonth: { winter: 7, summer: 5.5 },
  meanFrontMm: 8,
  peakEtMm: 5.6,
};

/** Waimate and Glenavy: about 580 mm a year. */
export const southCanterbury: Climate = {
  ...canterburyPlains,
  meanC: 11,
  dailySwingC: 5,
  meanFrontMm: 7.5,
  peakEtMm: 5.2,
};

/** Blackall: about 480 mm a year, most of it in summer storms. */
export const centralWestQueensland: Climate = {
  hemisphere: 'south',
  meanC: 23.6,
  seasonalSwingC: 7.2,
  dailySwingC: 7.5,
  frontsPerMonth: { winter: 1, summer: 3.6 },
  meanFrontMm: 17,
  peakEtMm: 8.6,
};
