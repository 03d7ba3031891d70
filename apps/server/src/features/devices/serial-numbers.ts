import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { conflict } from '../../http/errors.ts';

type SerialUnit = Pick<DeviceRow, 'id' | 'kind' | 'serial_number' | 'settings'>;

interface Holder {
  /** Of which unit that was asked about, from 0. */
  row: number;
  serial_number: string;
  name: string;
  kind: DeviceRow['kind'];
  is_spare: boolean;
}

/** What tells serial numbers apart, in SQL: case and blanks don't. */
export const serialKey = (expression: string) => `lower(regexp_replace(${expression}, '\\s', '', 'g'))`;
/** Sprinklers and repeaters are units of one radio and share their numbers, in SQL. */
const familyOf = (kind: string) => `(case when ${kind} = 'repeater' then 'sprinkler' else ${kind} end)`;
/** Device `d` keeps its number from others: it is on the farm, and more than the place of a unit that is gone. As the index has it. */
export const holdsSerial = `d.deleted_at is null and d.kind <> 'poi' and ${serialKey('d.serial_number')} <> ''
  and not d.settings @> '{"isPlaceholder": true}'`;

/**
 * Throws conflict, saying who has the number, when other units of the farm hold one of these. Units that share a number from
 * before this was asked may keep it. The farm is locked, so that two calls at once can't both find a number free.
 */
export async function refuseTakenSerials(
  trx: Db,
  farmId: number,
  units: readonly SerialUnit[],
): Promise<void> {
  const [holder] = await serialHolders(trx, farmId, units);
  if (holder) throw conflict(takenText(holder), 'serialNumber');
}

/** Names of those that hold the numbers of these units, by the units' ids; not of `leaving`. A unit that shared its number before may again. */
export async function takenSerials(
  trx: Db,
  farmId: number,
  units: readonly (SerialUnit & Pick<DeviceRow, 'shares_serial'>)[],
  leaving: readonly number[] = [],
): Promise<Map<number, string>> {
  const asked = units.filter(({ shares_serial }) => !shares_serial);
  const holders = await serialHolders(trx, farmId, asked, leaving);
  return new Map(holders.map(({ row, name }) => [asked[row]?.id ?? 0, name]));
}

/** Who on the farm holds numbers of these units, a row for each that is taken. What a transaction is told stays true to its end. */
export async function serialHolders(
  trx: Db,
  farmId: number,
  units: readonly SerialUnit[],
  leaving: readonly number[] = [],
): Promise<Holder[]> {
  const holding = units.flatMap((unit, row) =>
    unit.kind !== 'poi' && unit.settings['isPlaceholder'] !== true ? [{ ...unit, row }] : [],
  );
  if (holding.length === 0) return [];
  await sql`select pg_advisory_xact_lock(hashtext('headrace serial numbers'), ${farmId})`.execute(trx);
  const list = (value: (unit: SerialUnit & { row: number }) => unknown) => holding.map(value);
  const { rows } =
    await sql<Holder>`select distinct on (n.row) n.row, n.serial as serial_number, d.name, d.kind,
      d.settings @> '{"isSpareUnit": true}' as is_spare
    from unnest(${list(({ kind }) => kind)}::text[], ${list(({ serial_number }) => serial_number)}::text[],
      ${list(({ row }) => row)}::int[]) n (kind, serial, row)
    join device d on d.farm_id = ${farmId} and ${sql.raw(`${familyOf('d.kind')} = ${familyOf('n.kind')}
      and ${serialKey('d.serial_number')} = ${serialKey('n.serial')} and ${holdsSerial}`)}
    where d.id <> all(${[...list(({ id }) => id), ...leaving]}) order by n.row, is_spare, d.id`.execute(trx);
  return rows;
}

export function takenText({ serial_number: serial, name, kind, is_spare }: Holder): string {
  if (is_spare)
    return `Serial number ${serial.trim()} is a spare on this farm: ${name}. Please take that spare into service, or delete it first.`;
  return `Serial number ${serial.trim()} is in use on this farm as the ${kind} ${name}. Please check the number, or delete ${name} first.`;
}
