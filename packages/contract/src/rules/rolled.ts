/** One hour or day of one series, on the farm's clock: what the rules that look back are given. Times in epoch ms. */
export interface Rolled {
  /** Its start. */
  at: number;
  /** Valid readings in it; min, max and sum are over these. */
  n: number;
  min: number;
  max: number;
  sum: number;
  /** Sums of drops and of rises from one reading to the next, each counted where the later one lies. */
  falls: number;
  rises: number;
  firstAt: number;
  firstValue: number;
  lastAt: number;
  lastValue: number;
  /** Of a tank's level: what left it and what came, beside the sensor's noise (`level-use.ts`); absent where it isn't counted. */
  used?: number;
  gained?: number;
}

/** One decimal is more than any of these forecasts knows. */
export const toTenth = (value: number): number => Math.round(value * 10) / 10;
/** "1 day", "3 nights" */
export const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
