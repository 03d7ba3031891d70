import { numberArray } from '../../db/sql-arrays.ts';
import type { SqlClient } from '../../db/sql-client.ts';
import { ofUnits, type UnitKey, unitKeyArrays } from '../../db/unit-keys.ts';

/** For so long after a send its schedule goes by itself to a unit that it did not reach, once it is heard. */
export const CATCH_UP_DAYS = 14;

/** A unit of the send that asked for what it is to water by. */
type UnitOfSend = UnitKey & { readonly commandId: number };

const ofSends = 'unnest($1::int[], $2::int[], $3::int[]) as k (farm_id, device_id, command_id)';
const lockText = `select from unit_program p join ${ofUnits} using (farm_id, device_id)
  order by p.farm_id, p.device_id for update of p`;

const waitText = `update unit_program p set catch_up_until = p.wanted_at + interval '${CATCH_UP_DAYS} days', catch_up_from = $4,
    catch_up_tries = 0, is_new_unit = false
  from ${ofSends} where p.farm_id = k.farm_id and p.device_id = k.device_id and p.command_id = k.command_id
    and p.catch_up_until is null and p.wanted_at + interval '${CATCH_UP_DAYS} days' > $4`;

/** These units of a send weren't reached: they get it once they are heard, where it is still what they are to water by. */
export async function waitToBeHeard(
  client: SqlClient,
  units: readonly UnitOfSend[],
  at: Date,
): Promise<void> {
  if (units.length === 0) return;
  await client.query({ text: lockText, values: unitKeyArrays(units) });
  await client.query({
    text: waitText,
    values: [...unitKeyArrays(units), numberArray(units.map(({ commandId }) => commandId)), at],
  });
}

const nowText = `update unit_program p set catch_up_until = $3::timestamptz + interval '${CATCH_UP_DAYS} days',
    catch_up_from = $3, catch_up_tries = 0, is_new_unit = true, lat = d.lat, lng = d.lng
  from device d where p.farm_id = $1 and p.device_id = $2 and d.farm_id = p.farm_id and d.id = p.device_id`;

/** Another unit stands at this place: it gets the place's schedule without being heard first. */
export async function catchUpAtOnce(
  client: SqlClient,
  { farmId, deviceId }: UnitKey,
  at: Date,
): Promise<void> {
  await client.query({ text: nowText, values: [farmId, deviceId, at] });
}

const triedText = `update unit_program p set catch_up_from = $3, catch_up_tries = catch_up_tries + 1
  from ${ofUnits} where p.farm_id = k.farm_id and p.device_id = k.device_id`;

/** It goes to them now, and again only where they are heard after that. */
export async function noteCatchUps(client: SqlClient, units: readonly UnitKey[], at: Date): Promise<void> {
  await client.query({ text: lockText, values: unitKeyArrays(units) });
  await client.query({ text: triedText, values: [...unitKeyArrays(units), at] });
}

const endText = `update unit_program p set catch_up_until = null
  from ${ofUnits} where p.farm_id = k.farm_id and p.device_id = k.device_id`;

/** Nothing goes to these by itself any more. */
export async function endCatchUps(client: SqlClient, units: readonly UnitKey[]): Promise<void> {
  if (units.length === 0) return;
  for (const text of [lockText, endText]) await client.query({ text, values: unitKeyArrays(units) });
}

/** Nothing goes to any unit by itself any more. */
export async function endAllCatchUps(client: SqlClient): Promise<void> {
  const text = 'update unit_program set catch_up_until = null where catch_up_until is not null';
  await client.query({ text, values: [] });
}
