import { sql } from 'kysely';
import type { WaterApplication } from '@headrace/contract/farms';
import type { ReportedRun } from '@headrace/contract/rules/schedule/applied';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';

/** Epoch ms. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What was sent to a sprinkler, or is to be held by it. */
export interface WantedRow {
  /** Epoch ms. */
  readonly at: number;
  readonly crc: string;
  readonly entries: readonly ScheduleEntry[];
  readonly cycleDays: number;
}

export interface DiaryUnit {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly serial: string;
  readonly isPart: boolean;
  readonly isOutOfService: boolean;
  /** Those of now. */
  readonly groupIds: readonly number[];
  /** What it is to hold now, and what it was to hold before that, the oldest first. */
  readonly wanted: readonly WantedRow[];
}

/** In which groups a sprinkler was, by name, and on which line, from then on. */
export interface Grouping {
  readonly groups: readonly Pick<DiaryGroup, 'uid' | 'name'>[];
  readonly line: string;
}
export interface GroupingRow extends Grouping {
  /** Epoch ms. */
  readonly since: number;
}

export interface DiaryGroup {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly water: WaterApplication | null;
}

export interface HeldRow {
  /** Epoch ms. */
  readonly since: number;
  readonly until: number | null;
  readonly crc: string;
  readonly entries: readonly ScheduleEntry[] | null;
  readonly cycleDays: number | null;
  readonly stoppedAt: number | null;
}

export interface RunRow extends ReportedRun {
  readonly isPart: boolean;
}

export interface ClockRow {
  readonly s: number;
  /** Epoch ms. */
  readonly at: number;
}

/** What else of a farm the diary needs: one query each, however many sprinklers there are. */
export function createDiaryUnitsRepo(db: Db) {
  return {
    async count(farmId: number): Promise<number> {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from device where farm_id = ${farmId} and kind = 'sprinkler' and deleted_at is null`.execute(
        db,
      );
      return rows[0]?.n ?? 0;
    },

    async groups(farmId: number): Promise<DiaryGroup[]> {
      const { rows } = await sql<DiaryGroup>`
        select id, uid, name, wal_config as water from device_group where farm_id = ${farmId}`.execute(db);
      return rows;
    },
  };
}
export type DiaryUnitsRepo = ReturnType<typeof createDiaryUnitsRepo>;
