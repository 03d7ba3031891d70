import type { Limits } from './metric-row.ts';

// Limits that rules ask for by name; those of one metric alone stand in its row (metrics.ts).

/** What a meter on a farm can measure, L/min: a main of a metre's width at two metres a second carries less than the most. */
export const FLOW_LPM: Limits = { min: 0, max: 100_000 };
/** Soil tension that the probes of a site can measure, kPa. */
export const TENSION_KPA: Limits = { min: 0, max: 200 };
