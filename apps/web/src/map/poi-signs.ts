/** Signs of the kinds of points of interest, as lines in a box of 10 × 10; a plain pin has none. */
export const poiSigns: Readonly<Record<string, string | undefined>> = {
  /** Two posts with rails. */
  gate: 'M1.2 1.6V9M8.8 1.6V9M1.2 3.4H8.8M1.2 6.6H8.8',
  /** A standing pipe with its outlets. */
  hydrant: 'M3.4 9V3.4a1.6 1.6 0 0 1 3.2 0V9M1.6 9H8.4M1.4 5.6H8.6',
  /** A casing with its outlet. */
  pump: 'M5.6 2.2a3.2 3.2 0 1 0 2.4 3.1V2.2ZM4.8 5.4h.01',
  /** The drawing's sign of a valve. */
  valve: 'M1.2 2.4V7.6L8.8 2.4V7.6Z',
  trough: 'M1 3.2H9L7.8 7.8H2.2Z',
  shed: 'M1.4 8.8V4.6L5 1.6 8.6 4.6V8.8Z',
  hazard: 'M5 1.2 9.2 8.6H.8ZM5 4V5.8M5 7.2h.01',
};
