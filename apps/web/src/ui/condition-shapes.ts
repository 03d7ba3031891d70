import type { Condition } from './tokens.ts';

/**
 * A shape for each condition, so that colour never stands alone. SVG paths in a 16 × 16 box, filled by even-odd:
 * the list's dots and the map's canvas draw the same.
 */
export const conditionShapes: Record<Condition, string> = {
  ok: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13ZM7.2 11.1 4.3 8.2l1.2-1.2 1.7 1.7 3.4-3.5 1.2 1.2Z',
  watering: 'M8 .9C8 .9 2.8 6.6 2.8 10a5.2 5.2 0 0 0 10.4 0C13.2 6.6 8 .9 8 .9Z',
  caution: 'M8 1.2 15.4 14.4H.6ZM7.2 5.8v4.4h1.6V5.8ZM7.2 11.3v1.6h1.6v-1.6Z',
  issue: 'M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1ZM7.1 4v5h1.8V4ZM7.1 10.3v1.8h1.8v-1.8Z',
  inhibited: 'M8 1.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13ZM4.2 7.1h7.6v1.8H4.2Z',
  spare: 'M6 1.6h4V6h4.4v4H10v4.4H6V10H1.6V6H6Z',
  sensor: 'M8 .9 15.1 8 8 15.1.9 8ZM8 5.6a2.4 2.4 0 1 0 0 4.8a2.4 2.4 0 1 0 0-4.8Z',
  poi: 'M8 .8a5.2 5.2 0 0 0-5.2 5.2C2.8 9.9 8 15.2 8 15.2s5.2-5.3 5.2-9.2A5.2 5.2 0 0 0 8 .8ZM8 4.1a1.9 1.9 0 1 1 0 3.8a1.9 1.9 0 1 1 0-3.8Z',
};
