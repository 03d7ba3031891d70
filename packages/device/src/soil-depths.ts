/** Deep probes have up to eight sensors, numbered from the top down. */
export const soilDepths = [1, 2, 3, 4, 5, 6, 7, 8] as const;
export type SoilDepth = (typeof soilDepths)[number];
