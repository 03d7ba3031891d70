import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow } from '../../db/schema.ts';
import { fieldChanges, logChanges } from '../changes/change-log.ts';
import { addToRegistry } from '../registry/registry-entries.ts';
import { bumpLists } from './list-sync.ts';
import { type Doer, lockRecords, logged } from './record-change.ts';
import { serialHolders } from './serial-numbers.ts';

/** Where isn't told: the farm may be one that this person may not see. */
const ELSEWHERE_TEXT = 'the new unit is on another farm. Delete it there, then send Replace again.';

/** What goes with a unit from place to place. */
type Hardware = Pick<DeviceRow, 'uid' | 'serial_number' | 'mac' | 'shares_serial'>;

/** As the two records were before. */
export interface Swapped {
  readonly position: DeviceRow;
  readonly spare: DeviceRow;
  /** What stands at the position now. */
  readonly now: Hardware;
}

/**
 * Another unit has taken the place of a sprinkler. The position keeps its record, and with it its name, place and history; uid,
 * serial number and MAC go with the hardware. The unit taken out stays on the farm as a spare out of service. Else why nothing was
 * changed: the position is gone, or another farm or a device of another kind has the MAC since; '' where it has that unit already.
 */
export async function swapHardware(
  trx: Db,
  farmId: number,
  positionId: number,
  unit: { mac: string; serialNumber: string },
  by: Doer,
): Promise<Swapped | string> {
  const holders = await trx
    .selectFrom('device')
    .select(['id', 'farm_id'])
    .where('mac', '=', unit.mac)
    .where('deleted_at', 'is', null)
    .execute();
  const holder = holders.find(({ farm_id }) => farm_id === farmId);
  if (holders.length > 0 && !holder) return ELSEWHERE_TEXT;
  const locked = await lockRecords(trx, farmId, [positionId, ...(holder ? [holder.id] : [])]);
  const position = locked.find(({ id, kind }) => id === positionId && kind === 'sprinkler');
  const held = locked.find(({ mac }) => mac === unit.mac);
  if (!position) return 'the sprinkler has left the farm.';
  if (held === position) return '';
  if (held && held.kind !== 'sprinkler')
    return `the MAC address belongs to ${held.name}, which is no sprinkler.`;
  const now = held
    ? await heldHardware(trx, farmId, position, held)
    : await sharingHardware(trx, farmId, position, newHardware(unit, by.now));
  const spare = held ?? (await insertSpare(trx, position, by.now));
  await setFree(trx, farmId, [position.id, spare.id]);
  const after = [
    await identify(trx, position, now, {}, by.now),
    await identify(trx, spare, hardwareOf(position), takenOut(spare, by.now), by.now),
  ];
  await bumpLists(trx, farmId, [position, spare]);
  await addToRegistry(trx, after, farmId);
  const before = [position, held ?? null];
  await logChanges(
    trx,
    after.map((device, index) => logged(device, by, 'changed by command', changesOf(before[index], device))),
    by.now,
  );
  return { position, spare, now };
}

/** What was heard at this record before is another unit's word. One that kept a place free has a unit now. */
const takenOut = ({ settings }: DeviceRow, now: Date) => ({
  isSpareUnit: true,
  outOfService: true,
  ...(settings['isPlaceholder'] === true && { isPlaceholder: false }),
  swappedAt: now.toISOString(),
});

const hardwareOf = ({ uid, serial_number, mac, shares_serial }: DeviceRow): Hardware => {
  return { uid, serial_number, mac, shares_serial };
};

/** Of a unit that the farm hasn't. */
const newHardware = (
  { mac, serialNumber: serial_number }: { mac: string; serialNumber: string },
  now: Date,
): Hardware => ({ uid: newUid(now), serial_number, mac, shares_serial: false });

/** A placeholder doesn't hold its number: another may have it by now. */
const heldHardware = async (
  trx: Db,
  farmId: number,
  position: DeviceRow,
  held: DeviceRow,
): Promise<Hardware> =>
  held.settings['isPlaceholder'] === true
    ? sharingHardware(trx, farmId, position, hardwareOf(held))
    : hardwareOf(held);

/** Who took its number since the command was sent keeps it; the unit is there all the same. */
async function sharingHardware(
  trx: Db,
  farmId: number,
  position: DeviceRow,
  hardware: Hardware,
): Promise<Hardware> {
  const { serial_number } = hardware;
  const [holder] = await serialHolders(trx, farmId, [{ ...position, serial_number }]);
  return { ...hardware, shares_serial: holder !== undefined };
}

/** A spare like the unit at this position: same radio, no place of its own. */
async function insertSpare(trx: Db, like: DeviceRow, now: Date): Promise<DeviceRow> {
  const { farm_id, uid, kind, type, gateway_id, settings } = like;
  const { group: _, ...radio } = settings;
  return trx
    .insertInto('device')
    .values({
      farm_id,
      uid: `${uid}+`,
      kind,
      type,
      name: 'Spare',
      mac: null,
      settings: JSON.stringify(radio),
      gateway_id,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Uids, MACs and serial numbers are unique: each is set free before the other record takes it. */
async function setFree(trx: Db, farmId: number, ids: readonly number[]): Promise<void> {
  await sql`update device set uid = uid || '-', mac = null, serial_number = ''
    where farm_id = ${farmId} and id = any(${ids})`.execute(trx);
}

function identify(
  trx: Db,
  { farm_id, id }: DeviceRow,
  hardware: Hardware,
  settings: object,
  now: Date,
): Promise<DeviceRow> {
  return trx
    .updateTable('device')
    .set({
      ...hardware,
      settings: sql`settings || ${JSON.stringify(settings)}::jsonb`,
      version: sql`version + 1`,
      updated_at: now,
    })
    .where('farm_id', '=', farm_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Of a record that wasn't there before: what it came with. */
function changesOf(before: DeviceRow | null | undefined, { serial_number, mac, settings }: DeviceRow) {
  const old = before ?? { serial_number: '', mac: null, settings: {} };
  const { swappedAt: _, ...told } = settings;
  return [...fieldChanges(old, { serial_number, mac }), ...(before ? fieldChanges(old.settings, told) : [])];
}
