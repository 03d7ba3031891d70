import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Radio } from '@headrace/contract/rules/spare-readiness';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { mapInTurns } from '../../jobs/in-turns.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import { mostUsedRadio } from '../devices/farm-radio.ts';
import { twinsOf } from './twins.ts';
import { questionsOf, refreshTables } from './refresh-tables.ts';
import { createTableMemory, type Source } from './table-memory.ts';

/** A sprinkler's record. `updated_at` in epoch ms. */
export type UnitRecord = Pick<
  DeviceRow,
  | 'id'
  | 'uid'
  | 'name'
  | 'description'
  | 'serial_number'
  | 'mac'
  | 'type'
  | 'lat'
  | 'lng'
  | 'settings'
  | 'gateway_id'
  | 'version'
> & { readonly device_id: number; readonly updated_at: number; readonly is_unit: boolean };

/** What it last said, in numbers and in words. `at` in epoch ms. */
interface LatestOf<Value> {
  readonly device_id: number;
  readonly name: string;
  readonly at: number | null;
  readonly value: Value;
}
export type UnitValue = LatestOf<number | null>;
export type UnitFact = LatestOf<string>;

export interface UnitGroup {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
}

/** A sprinkler with what it last said: the same object until something of it changes. */
export interface Unit {
  readonly record: UnitRecord;
  readonly value: (name: string) => UnitValue | undefined;
  readonly fact: (name: string) => string | null;
  /** When it said that; epoch ms. */
  readonly factAt: (name: string) => number | null;
  /** Epoch ms; null: never heard. */
  readonly status_at: number | null;
  /** By name. */
  readonly groups: readonly UnitGroup[];
  /** What it is to water by; null: it was never sent anything. */
  readonly wanted: UnitProgram | null;
  /** Null: nobody knows what it holds. */
  readonly held: UnitHeld | null;
  /** Null: nobody wants it to water nothing. */
  readonly stop: UnitStop | null;
}

const records: Source<UnitRecord> = {
  table: 'device',
  select: sql`t.id, t.id as device_id, t.uid, t.name, t.description, t.serial_number, t.mac, t.type, t.lat, t.lng, t.settings,
    t.gateway_id, t.version, date_part('epoch', t.updated_at) * 1000 as updated_at,
    t.kind = 'sprinkler' and t.deleted_at is null as is_unit`,
  isSame: () => true,
};
const isSameName = (one: { name: string }, other: { name: string }) => one.name === other.name;
const values: Source<UnitValue> = {
  table: 'latest',
  select: sql`s.device_id, s.metric as name, date_part('epoch', t.at) * 1000 as at, t.value`,
  join: sql`join series s on s.farm_id = t.farm_id and s.id = t.series_id`,
  isSame: isSameName,
};
const facts: Source<UnitFact> = {
  table: 'device_fact',
  select: sql`t.device_id, t.name, date_part('epoch', t.at) * 1000 as at, t.value`,
  isSame: isSameName,
};

/** What it is to water by. */
export interface UnitProgram {
  readonly device_id: number;
  readonly schedule_group: string;
  readonly crc: string;
  readonly entries: readonly ScheduleEntry[];
  readonly cycle_days: number;
}
const programs: Source<UnitProgram> = {
  table: 'unit_program',
  select: sql`t.device_id, t.schedule_group, t.crc, t.entries, t.cycle_days`,
  isSame: () => true,
};

/** What it holds, by its own word or its answer. */
export interface UnitHeld {
  readonly device_id: number;
  readonly crc: string;
  /** Null: not known what it is. */
  readonly entries: readonly ScheduleEntry[] | null;
  readonly cycle_days: number | null;
  /** It said so itself, or answered that it took it. */
  readonly how: 'said' | 'answered';
  /** Since when, and since when it waters no more by it; epoch ms. */
  readonly since: number;
  readonly stopped_at: number | null;
}
const held: Source<UnitHeld> = {
  table: 'unit_held',
  only: sql`c.until is null`,
  select: sql`t.device_id, t.crc, t.entries, t.cycle_days, t.how, date_part('epoch', t.since) * 1000 as since,
    date_part('epoch', t.stopped_at) * 1000 as stopped_at`,
  isSame: () => true,
};

/** A person wants it to water nothing. `since` in epoch ms. */
export interface UnitStop {
  readonly device_id: number;
  readonly since: number;
}
const stops: Source<UnitStop> = {
  table: 'unit_stop',
  only: sql`c.lifted_by is null`,
  select: sql`t.device_id, date_part('epoch', t.since) * 1000 as since`,
  isSame: () => true,
};

export interface Membership {
  readonly device_id: number;
  readonly group_id: number;
}
const members: Source<Membership> = {
  table: 'device_group_member',
  select: sql`t.device_id, t.group_id`,
  isSame: (one, other) => one.group_id === other.group_id,
};

/** What is known of a farm's sprinklers at a moment. */
interface FarmNow {
  /** The same as long as the farm is kept in memory: what is made of its sprinklers may be kept by it. */
  readonly farm: object;
  /** By name. */
  readonly units: readonly Unit[];
  /** Those of them that are spares. */
  readonly spares: readonly UnitRecord[];
  /** What most of those in service use; null without any. */
  readonly radio: Radio | null;
  /** Whether any of them was ever sent a schedule: the others are to hold nothing then. */
  readonly isScheduled: boolean;
}

/** Devices of all farms together that are kept in memory; the farm that was asked for longest ago is forgotten first. */
const DEVICES_KEPT = 40_000;

/**
 * The sprinklers of whole farms, by name. What changed since the last call is read and nothing else: five thousand
 * records with fifty thousand values take longer to hand over than people like to wait.
 */
export function createFarmUnits(db: Db) {
  const farms = new Map<number, ReturnType<typeof createFarm>>();

  function farmOf(farmId: number) {
    const farm = farms.get(farmId) ?? createFarm(db, farmId);
    farms.delete(farmId);
    farms.set(farmId, farm);
    return farm;
  }

  function forgetSome(): void {
    let kept = [...farms.values()].reduce((sum, farm) => sum + farm.size(), 0);
    for (const [farmId, farm] of farms) {
      if (kept <= DEVICES_KEPT || farms.size === 1) return;
      kept -= farm.size();
      farms.delete(farmId);
    }
  }

  async function reading<T>(
    farmId: number,
    read: (farm: ReturnType<typeof createFarm>) => Promise<T>,
  ): Promise<T> {
    try {
      return await read(farmOf(farmId));
    } catch (error) {
      // Half of a reading may have been taken in.
      farms.delete(farmId);
      throw error;
    } finally {
      forgetSome();
    }
  }

  const now = (farmId: number): Promise<FarmNow> => reading(farmId, (farm) => farm.now());

  return {
    of: async (farmId: number): Promise<readonly Unit[]> => (await now(farmId)).units,

    /** `twins`: ids of spares whose serial number another unit in use has. */
    async withTwins(farmId: number) {
      const known = await now(farmId);
      return { ...known, twins: await twinsOf(db, farmId, known.spares) };
    },

    /** What most of the farm's sprinklers in service use; null without any. */
    radio: async (farmId: number): Promise<Radio | null> => (await now(farmId)).radio,
  };
}
export type FarmUnits = ReturnType<typeof createFarmUnits>;

/** What a sprinkler said most of is in one table, and takes as long to look through as all others together. */
const ofValues = questionsOf([values]);
const ofOthers = questionsOf([records, facts, members, programs, held, stops]);

function createFarm(db: Db, farmId: number) {
  const memory = {
    records: createTableMemory(records),
    values: createTableMemory(values),
    facts: createTableMemory(facts),
    members: createTableMemory(members),
    programs: createTableMemory(programs),
    held: createTableMemory(held),
    stops: createTableMemory(stops),
  };
  /** By name. */
  let groups: readonly UnitGroup[] = [];
  const units = new Map<number, Unit>();
  let now: FarmNow = { farm: memory, units: [], spares: [], radio: null, isScheduled: false };
  /** Of each unit in them. */
  let places = new Map<number, number>();

  function groupsOf(deviceId: number): readonly UnitGroup[] {
    const ids = memory.members.of(deviceId).map(({ group_id }) => group_id);
    return groups.filter(({ id }) => ids.includes(id));
  }

  function build(deviceId: number): void {
    const [record] = memory.records.of(deviceId);
    if (!record?.is_unit) units.delete(deviceId);
    else
      units.set(
        deviceId,
        toUnit(record, memory.values.of(deviceId), memory.facts.of(deviceId), {
          groups: groupsOf(deviceId),
          wanted: memory.programs.of(deviceId)[0] ?? null,
          held: memory.held.of(deviceId)[0] ?? null,
          stop: memory.stops.of(deviceId)[0] ?? null,
        }),
      );
  }

  /** Once records changed: another order, other spares. */
  function arrangeAnew(): void {
    const inOrder = [...units.values()].toSorted(byName);
    const all = inOrder.map(({ record }) => record);
    places = new Map(all.map(({ id }, place) => [id, place]));
    const spares = all.filter(({ settings }) => settings['isSpareUnit'] === true);
    const radio = mostUsedRadio(all);
    // The same object while it says the same: what was made of it stays too.
    now = { ...now, units: inOrder, spares, radio: isDeepStrictEqual(radio, now.radio) ? now.radio : radio };
  }

  function putInPlace(changed: ReadonlySet<number>): void {
    const inOrder = [...now.units];
    for (const id of changed) {
      const [place, unit] = [places.get(id), units.get(id)];
      if (place !== undefined && unit) inOrder[place] = unit;
    }
    now = { ...now, units: inOrder };
  }

  async function refresh(): Promise<FarmNow> {
    const [groupsNow, [changedRecords = null, ...changed], changedValues] = await Promise.all([
      readGroups(db, farmId),
      refreshTables(db, farmId, ofOthers, [
        memory.records,
        memory.facts,
        memory.members,
        memory.programs,
        memory.held,
        memory.stops,
      ]),
      refreshTables(db, farmId, ofValues, [memory.values]),
    ]);
    const isRenamed = !isSameGroups(groups, groupsNow);
    groups = groupsNow;
    const some = isRenamed ? null : allOf([changedRecords, ...changed, ...changedValues]);
    now = { ...now, isScheduled: memory.programs.size > 0 };
    if (some === null) units.clear();
    // After a send to all it is every one of them.
    await mapInTurns(some ?? memory.records.devices(), build);
    if (some === null || changedRecords === null || changedRecords.size > 0) arrangeAnew();
    else if (some.size > 0) putInPlace(some);
    return now;
  }

  return {
    now: oneAtATime(refresh),
    size: () => memory.records.size,
  };
}

/** Null: any may have changed. */
function allOf(changed: readonly (ReadonlySet<number> | null)[]): ReadonlySet<number> | null {
  const all = new Set<number>();
  for (const ids of changed) {
    if (ids === null) return null;
    for (const id of ids) all.add(id);
  }
  return all;
}

function readGroups(db: Db, farmId: number): Promise<UnitGroup[]> {
  return db
    .selectFrom('device_group')
    .select(['id', 'uid', 'name'])
    .where('farm_id', '=', farmId)
    .orderBy('name')
    .orderBy('id')
    .execute();
}

function isSameGroups(one: readonly UnitGroup[], other: readonly UnitGroup[]): boolean {
  const isSame = (group: UnitGroup, as: UnitGroup | undefined) =>
    group.id === as?.id && group.name === as.name;
  return one.length === other.length && one.every((group, index) => isSame(group, other[index]));
}

/** What a unit is made of, by where it stands. */
export const unitSources = { records, values, facts, members, programs, held, stops };

export function toUnit(
  record: UnitRecord,
  said: readonly UnitValue[],
  known: readonly UnitFact[],
  more: Pick<Unit, 'groups' | 'wanted' | 'held' | 'stop'>,
): Unit {
  const newest = [...said, ...known].reduce((at, one) => Math.max(at, one.at ?? 0), 0);
  return {
    record,
    value: (name) => said.find((one) => one.name === name),
    fact: (name) => known.find((one) => one.name === name)?.value ?? null,
    factAt: (name) => known.find((one) => one.name === name)?.at ?? null,
    status_at: newest > 0 ? newest : null,
    ...more,
  };
}

/** As PostgreSQL's collation "C" has it. */
function byName({ record: one }: Unit, { record: other }: Unit): number {
  return (one.name < other.name ? -1 : Number(one.name > other.name)) || one.id - other.id;
}
