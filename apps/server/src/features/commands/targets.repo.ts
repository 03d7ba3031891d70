import { sql } from 'kysely';
import { gatewayCloses } from '@headrace/device/messages';
import { normaliseMac } from '@headrace/device/topics';
import type { Db } from '../../db/client.ts';
import { speakingGateway } from '../devices/speaking-gateway.ts';
import { createProgrammesRepo } from '../programmes/programmes.repo.ts';
import { createScheduleSets } from '../schedules/schedule-sets.ts';
import { outOfService } from './out-of-service.ts';
import { refuseSecondReplace } from './one-replace.ts';
import { createUnitHolders } from './unit-holders.ts';

/** A sprinkler that a command may be for, with the gateway that speaks for it. */
export interface TargetUnit {
  deviceId: number;
  /** Null: the farm has no gateway. */
  gatewayId: number | null;
  uid: string;
  name: string;
  serialNumber: string;
  mac: string;
  outOfService: boolean;
}

export interface ByService {
  inService: TargetUnit[];
  others: TargetUnit[];
}

export interface TargetGateway {
  deviceId: number;
  name: string;
  serialNumber: string;
  mac: string;
  type: number;
  isOnline: boolean;
  contactAt: Date | null;
  /** Seconds between its status messages; null: it has not said. */
  statusPeriod: number | null;
  /** `commsMaxTTL`, s; null: it has not said. */
  maxTtl: number | null;
  listRev: number;
  ackedRev: number;
  /** It closes valves itself, since its units can't count. */
  closesValves: boolean;
}

export interface GroupRow {
  id: number;
  name: string;
}

const unitsOn = (db: Db, farmId: number) =>
  db
    .selectFrom('device as d')
    .select([
      'd.id as deviceId',
      'd.uid',
      'd.name',
      'd.serial_number as serialNumber',
      sql<string>`coalesce(d.mac, '')`.as('mac'),
      outOfService,
      speakingGateway(farmId).as('gatewayId'),
    ])
    .where('d.farm_id', '=', farmId)
    .where('d.kind', '=', 'sprinkler')
    .where('d.mac', 'is not', null)
    .where('d.deleted_at', 'is', null)
    .orderBy('d.name')
    .orderBy('d.id');

/** Whom a command may be for: every query stays on the farm. */
export function createTargetsRepo(db: Db) {
  const programmes = createProgrammesRepo(db);
  const sets = createScheduleSets(db);
  const units = (farmId: number) => unitsOn(db, farmId);

  return {
    gateways(farmId: number): Promise<TargetGateway[]> {
      return db
        .selectFrom('device as d')
        .innerJoin('gateway_state as g', (join) =>
          join.onRef('g.farm_id', '=', 'd.farm_id').onRef('g.device_id', '=', 'd.id'),
        )
        .select([
          'd.id as deviceId',
          'd.name',
          'd.serial_number as serialNumber',
          sql<string>`coalesce(d.mac, '')`.as('mac'),
          'd.type',
          'g.online as isOnline',
          'g.contact_at as contactAt',
          sql<number | null>`(g.settings->>'statusPeriod')::float8`.as('statusPeriod'),
          sql<number | null>`(g.settings->>'commsMaxTTL')::float8`.as('maxTtl'),
          'g.list_rev as listRev',
          'g.acked_rev as ackedRev',
          sql<boolean>`g.supports ? ${gatewayCloses}`.as('closesValves'),
        ])
        .where('d.farm_id', '=', farmId)
        .where('d.kind', '=', 'gateway')
        .where('d.deleted_at', 'is', null)
        .orderBy('d.id')
        .execute();
    },

    /** By MAC where that is one, else by serial number. */
    async unit(farmId: number, mac: string, serialNumber: string): Promise<TargetUnit | undefined> {
      const address = normaliseMac(mac);
      const query = address
        ? units(farmId).where('d.mac', '=', address)
        : units(farmId).where(sql<string>`lower(d.serial_number)`, '=', serialNumber.toLowerCase());
      return query.executeTakeFirst();
    },

    unitsBySerial(farmId: number, serialNumbers: readonly string[]): Promise<TargetUnit[]> {
      return units(farmId)
        .where(
          sql<string>`lower(d.serial_number)`,
          'in',
          serialNumbers.map((serial) => serial.toLowerCase()),
        )
        .execute();
    },

    /** Those of the farm, or of one of its groups: in service, and spare or out of service. */
    async unitsByService(farmId: number, groupId: number | null): Promise<ByService> {
      const query =
        groupId === null
          ? units(farmId)
          : units(farmId).where(({ exists, selectFrom }) =>
              exists(
                selectFrom('device_group_member as m')
                  .select('m.device_id')
                  .where('m.farm_id', '=', farmId)
                  .where('m.group_id', '=', groupId)
                  .whereRef('m.device_id', '=', 'd.id'),
              ),
            );
      const found = await query.execute();
      return {
        inService: found.filter((unit) => !unit.outOfService),
        others: found.filter((unit) => unit.outOfService),
      };
    },

    group(farmId: number, uid: string): Promise<GroupRow | undefined> {
      return db
        .selectFrom('device_group')
        .select(['id', 'name'])
        .where('farm_id', '=', farmId)
        .where('uid', '=', uid.toLowerCase())
        .executeTakeFirst();
    },

    set: sets.byUid,
    sets: sets.all,
    unitsOfSet: sets.units,

    wanted: programmes.wanted,
    wantedOf: programmes.wantedOf,
    mayHold: programmes.mayHold,
    notHeld: programmes.notHeld,

    /** Units whose newest word on what they hold is this checksum. */
    async unitsThatSay(farmId: number, crc: string): Promise<Set<number>> {
      const rows = await db
        .selectFrom('device_fact')
        .select('device_id')
        .where('farm_id', '=', farmId)
        .where('name', '=', 'ipcCrc')
        .where('value', '=', crc)
        .execute();
      return new Set(rows.map((row) => row.device_id));
    },

    ...createUnitHolders(db),
    refuseSecondReplace: (farmId: number, macs: readonly string[]) => refuseSecondReplace(db, farmId, macs),
  };
}
export type TargetsRepo = ReturnType<typeof createTargetsRepo>;
