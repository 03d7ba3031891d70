import type { Generated } from 'kysely';
import type { LevelMemory } from '@headrace/contract/rules/level-use';
import type { Time } from './column-types.ts';

/** A day of a tank's level, as `rules/level-use.ts` counts it. */
export interface LevelDayTable {
  farm_id: number;
  series_id: number;
  /** Start of the farm's day. */
  at: Time;
  /** Readings that the day's rollup held, those of them that could be, and the highest that could: else it is counted anew. */
  stored: number;
  n: number;
  most: number;
  /** mm, by time within the day also of what lies between it and the days beside it. */
  fall: number;
  rise: number;
  /** What is known of the sensor at its end. */
  memory: LevelMemory | null;
}

export interface RollupTable {
  farm_id: number;
  series_id: number;
  /** Start of the farm's hour or day. */
  at: Time;
  /** Valid readings in it; min, max and sum are over these. */
  n: number;
  min: number;
  max: number;
  sum: number;
  /** Sums of drops and of rises from one valid reading to the next, each counted where the later one lies. */
  falls: number;
  rises: number;
  first_at: Time;
  first_value: number;
  last_at: Time;
  last_value: number;
  /** Of a rate, from the first to the last reading: its unit times minutes, and how many minutes of that time are known of. */
  area: number | null;
  covered_min: number | null;
  /** Of a counter or of deltas: the most it gained per minute from one reading to the next, whose later one lies in it. */
  fastest: number | null;
}

/** Series with their readings and rollups. */
export interface ReadingTables {
  series: { farm_id: number; id: Generated<number>; device_id: number; metric: string };
  latest: {
    farm_id: number;
    series_id: number;
    at: Date | null;
    value: number | null;
    /** When it was received, where that was before its own time. */
    heard_at: Date | null;
    /** The valid reading of the latest own time, from which the next one counts: perhaps not the one above. */
    valid_at: Date | null;
    valid_value: number | null;
  };
  reading: { farm_id: number; series_id: number; at: Time; value: number | null };
  reading_hour: RollupTable;
  reading_day: RollupTable;
  level_day: LevelDayTable;
}
