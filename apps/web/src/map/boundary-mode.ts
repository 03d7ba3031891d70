export type BoundaryMode = 'area' | 'border' | 'hidden';

const CYCLE: readonly BoundaryMode[] = ['area', 'border', 'hidden'];

/** Area, border, hidden, and round again. */
export function nextBoundaryMode(mode: BoundaryMode): BoundaryMode {
  return CYCLE[(CYCLE.indexOf(mode) + 1) % CYCLE.length] ?? 'area';
}

export const boundaryLabels: Record<BoundaryMode, string> = {
  area: 'Boundary: area',
  border: 'Boundary: border only',
  hidden: 'Boundary: hidden',
};
