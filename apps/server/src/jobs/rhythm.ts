/** How often jobs run, ms. */
export const EACH_MINUTE = 60_000;
export const EACH_HOUR = 3_600_000;
