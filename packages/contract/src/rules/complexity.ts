/** How much a table has to show, by the number of its entries. spec 2 §3.15 */
export const complexityLevels = { None: 0, Simple: 1, Compact: 2, Extensive: 3, Complex: 4 } as const;
export type ComplexityLevel = (typeof complexityLevels)[keyof typeof complexityLevels];

/** Up to 4 entries are simple, up to 8 compact, up to 16 extensive, more are complex. spec 2 §9 */
export function complexityOf(size: number): ComplexityLevel {
  if (size <= 0) return complexityLevels.None;
  if (size <= 4) return complexityLevels.Simple;
  if (size <= 8) return complexityLevels.Compact;
  return size <= 16 ? complexityLevels.Extensive : complexityLevels.Complex;
}

/** Columns of a table of this level: 2 has 3, 3 has 5, the others have 3. spec 2 §9 */
export const columnsOf = (level: ComplexityLevel): 3 | 5 => (level === complexityLevels.Extensive ? 5 : 3);
