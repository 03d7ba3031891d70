import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow, NewDevice } from '../../db/schema.ts';
import type { Batch } from '../changes/change-batch.ts';
import type { FieldChange, LoggedChange } from '../changes/change-log.ts';
import { isOnList, type ListUnit } from './list-sync.ts';

/** A person, or whose command did it: of one that we send by ourselves, nobody. */
export interface Doer {
  readonly accountId: number | null;
  readonly now: Date;
  /** What is done as one with others, to be undone as one. */
  readonly batch?: Batch;
  /** The open page that asked for it, as far as it said so. */
  readonly page?: string | undefined;
}

/** Who does it, and when. */
export interface By extends Doer {
  readonly accountId: number;
}

export type NewRecord = Omit<NewDevice, 'farm_id'>;
/** What of a device is entered by people; `settings` are merged member by member, `groups` are uids. */
export interface RecordChange {
  readonly name?: string;
  readonly description?: string;
  readonly serial_number?: string;
  readonly mac?: string | null;
  readonly type?: number;
  readonly lat?: number | null;
  readonly lng?: number | null;
  readonly gateway_id?: number | null;
  readonly mapping?: unknown;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** How the payloads of a sensor are decoded. */
  readonly decoder?: Decoder;
  readonly groups?: readonly string[] | undefined;
}

export interface Decoder {
  readonly columns: Pick<DeviceRow, 'builtin_codec' | 'codec_id' | 'codec_version'>;
  /** For the history: "Dragino LHT65". */
  readonly names: { readonly from: string; readonly to: string };
}

/** How the change log names a change. */
export type What = LoggedChange['what'];

/** Somebody else changed the record since the version that the caller saw. */
export class StaleRecord extends Error {
  constructor(readonly current: DeviceRow) {
    super('the record has a newer version');
  }
}

/** In the order of their keys, so that two who change the same ones don't deadlock. */
export function lockRecords(trx: Db, farmId: number, ids: readonly number[]): Promise<DeviceRow[]> {
  return trx
    .selectFrom('device')
    .selectAll()
    .where('farm_id', '=', farmId)
    .where(sql<boolean>`id = any(${ids})`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** For the change log. */
export function logged(
  device: DeviceRow,
  { accountId, page, batch }: Doer,
  what: What,
  fields: readonly FieldChange[] = [],
): LoggedChange {
  const { farm_id: farmId, kind, uid, name } = device;
  return { farmId, accountId, kind, uid, name, what, fields, page, batch };
}

/** What the gateway needs to reach a unit; a new name or description can wait for the next list. */
export function isListChange(before: DeviceRow, after: DeviceRow): boolean {
  const summary = (unit: ListUnit) =>
    JSON.stringify([unit.serial_number, unit.mac, unit.gateway_id, radioOf(unit)]);
  return isOnList(after) && summary(before) !== summary(after);
}

const radioOf = ({ settings: { farmId, channel, commsMode } }: ListUnit) => [farmId, channel, commsMode];
