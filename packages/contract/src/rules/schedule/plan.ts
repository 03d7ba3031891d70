import type { Run } from './programme.ts';

/** A sprinkler as far as a plan needs it: L/s, and mm a minute. */
export interface PlanUnit {
  readonly id: string;
  readonly name: string;
  readonly serial: string;
  readonly lps: number;
  readonly mmPerMin: number;
}

export interface PlanGroup {
  readonly uid: string;
  readonly name: string;
  /** Lines that its sprinklers hang on, in each of which one waters at a time. */
  readonly lines: number;
  /** Minutes of each watering; null: as the plan has them. */
  readonly durationMin: number | null;
  readonly units: readonly PlanUnit[];
}

/** Minutes of the day; a window that ends where it begins or before goes over midnight. */
export interface DayWindow {
  readonly fromMin: number;
  readonly toMin: number;
}

/** A pipe that groups hang on, with less flow than the pump gives. */
export interface Main {
  readonly name: string;
  /** L/s */
  readonly maxLps: number;
  /** By uid; those that aren't planned count for nothing. */
  readonly groups: readonly string[];
}

/** What the water supply allows. */
export interface Limits {
  /** null: any flow. */
  readonly maxLps: number | null;
  /** Empty: at any time. */
  readonly windows: readonly DayWindow[];
  readonly avoid: readonly DayWindow[];
  /** Absent: no pipe gives less than the pump. */
  readonly mains?: readonly Main[] | undefined;
}

export interface PlanOptions {
  /** Minutes of each watering, of groups that don't say. */
  readonly durationMin: number;
  /** Neighbours don't follow one another. */
  readonly windy: boolean;
  /** Spare minutes are spread evenly between waterings. */
  readonly leveling: boolean;
  /** Units that lose a minute at midnight. */
  readonly isV3: boolean;
  /** Minute of the day on which the first watering begins. */
  readonly startMin: number;
  /** null: a day where that is enough, else two. A part of a day gives several rounds a day. */
  readonly cycleMin: number | null;
  readonly limits: Limits | null;
}

/** Sprinklers that water one after another. */
export interface Line {
  readonly group: string;
  readonly scheduleGroup: string;
  readonly units: readonly PlanUnit[];
  readonly durationMin: number;
}

/** What somebody who makes a plan should know, with the figures that a sentence needs. */
export interface Finding {
  readonly code: FindingCode;
  readonly severity: 'error' | 'warning' | 'note';
  /** A line, or a group by name. */
  readonly group?: string;
  readonly otherGroup?: string;
  /** A main, by name. */
  readonly main?: string;
  /** By name. */
  readonly unit?: string;
  readonly otherUnit?: string;
  readonly figures: Readonly<Record<string, number>>;
}

/**
 * | code | figures |
 * |---|---|
 * | `noUnits`, `emptyGroup`, `goneGroup` (no longer on the farm) | |
 * | `doesNotFit` | `needMin`, `cycleMin`, `longestMin` (duration that fits, 0: none), `linesThatFit` (0: no number does) |
 * | `doesNotFitLimits` | `cycleMin`, `lineMin`, `flowMin` (through the pump, or the main that takes longest), `windowMin` (of the cycle), `longestMin` |
 * | `nearlyDaily` | `needMin`, `longestMin` |
 * | `overPump` | `lps`, `maxLps`, `fromMin`, `toMin` |
 * | `overMain` (with `main`) | `lps`, `maxLps`, `fromMin`, `toMin` |
 * | `noFlow` (a limit of flow is to hold a line that is set to give none) | |
 * | `outsideWindow` | `fromMin`, `toMin` |
 * | `twiceAtOnce` | `fromMin`, `toMin` |
 * | `lineAtOnce` | `fromMin`, `toMin` |
 * | `twice` | `mm` |
 * | `runoff` | `mm`, `mostMm`, `cycleMin` |
 * | `tooManyEntries` | `entries`, `most` |
 * | `windyFew` | `units` |
 * | `byHand` | |
 */
export type FindingCode =
  | 'noUnits'
  | 'emptyGroup'
  | 'goneGroup'
  | 'doesNotFit'
  | 'doesNotFitLimits'
  | 'nearlyDaily'
  | 'overPump'
  | 'overMain'
  | 'noFlow'
  | 'outsideWindow'
  | 'twiceAtOnce'
  | 'lineAtOnce'
  | 'twice'
  | 'runoff'
  | 'tooManyEntries'
  | 'windyFew'
  | 'byHand';

export interface Plan {
  readonly cycleMin: number;
  readonly runs: readonly Run[];
  readonly findings: readonly Finding[];
}

export type Planned =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly findings: readonly Finding[] };

export const DAY_MINUTES = 1440;
/** The longest cycle that is planned, two days. */
export const LONGEST_CYCLE = 2880;
/** Waterings that a unit can hold. */
export const MOST_ENTRIES = 24;
/** Cycles of several rounds a day: a unit that waters once in each holds at most MOST_ENTRIES. */
export const ROUND_MINUTES = [60, 72, 80, 90, 96, 120, 144, 160, 180, 240, 288, 360, 480, 720] as const;
