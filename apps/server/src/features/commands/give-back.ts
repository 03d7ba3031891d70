import type { SqlClient } from '../../db/sql-client.ts';
import { ofUnits, type UnitKey, unitKeyArrays } from '../../db/unit-keys.ts';
import { unitIsLive } from '../../db/under-way.ts';
import { catchUpAtOnce, waitToBeHeard } from '../programmes/catch-up-writer.ts';
import type { CommandKey } from './answers.ts';
import { OVER_BY_SERVICE } from './catch-ups.repo.ts';
import { lockCommands, writeCommandStates, writeUnits } from './command-writer.ts';
import { GONE_NOTE } from './held-back.ts';

type Part = CommandKey & { readonly deviceId: number };
/** What was to clear a unit. */
type Clear = Part & { readonly isOut: boolean };
/** What a unit did not get. */
type Lost = Part & { readonly isHeardFirst: boolean };

// What the server sent of its own accord, since they were to hold nothing any more.
const clearsText = `select u.farm_id as "farmId", u.command_id as "commandId", u.device_id as "deviceId",
    not (u.state = 'queued' and u.sending = 0) as "isOut"
  from command_unit u join command c on c.farm_id = u.farm_id and c.id = u.command_id
  join ${ofUnits} on k.farm_id = u.farm_id and k.device_id = u.device_id
  where c.account_id is null and u.entries = '[]' and c.created_at >= $3
    and not (u.state = 'cancelled' and u.sending = 0)
  order by u.farm_id, u.device_id`;

// Its turn comes or came meanwhile: whoever ends it for who is out of service locks its command.
const turnsText = `select distinct u.farm_id as "farmId", u.command_id as "commandId"
  from command_unit u join ${ofUnits} on k.farm_id = u.farm_id and k.device_id = u.device_id
  where u.entries <> '[]' and ${unitIsLive('u')}`;

// What each is to water by, which was not sent to it as it was out of service by then.
const lostText = `select p.farm_id as "farmId", p.command_id as "commandId", p.device_id as "deviceId", not x."isDropped" as "isHeardFirst"
  from unit_program p join ${ofUnits} on k.farm_id = p.farm_id and k.device_id = p.device_id
  cross join lateral (select exists (select from command_unit u where u.farm_id = p.farm_id and u.device_id = p.device_id
      and u.crc = p.crc and u.state = 'cancelled' and u.note = '${GONE_NOTE}' and u.at >= $3) as "isDropped",
    exists (select from command_step s where s.farm_id = p.farm_id and s.command_id = p.command_id and s.device_id = p.device_id
      and s.note = '${OVER_BY_SERVICE}' and s.at >= $3) as "isOver") x
  where p.command_id is not null and p.entries <> '[]' and (x."isDropped" or x."isOver")
  order by p.farm_id, p.device_id`;

/**
 * Sprinklers whose being spare, out of service or deleted since then was undone: what was to clear them and waits is taken back.
 * Who was cleared, or may have been, and who was left out of a send, is sent what it is to water by, without having been heard first;
 * who waited to be heard waits again.
 */
export async function giveBackSchedules(
  client: SqlClient,
  units: readonly UnitKey[],
  { since, now }: { since: Date; now: Date },
): Promise<void> {
  if (units.length === 0) return;
  const keys = unitKeyArrays(units);
  const clearsNow = async () =>
    (await client.query<Clear>({ text: clearsText, values: [...keys, since] })).rows;
  const { rows: turns } = await client.query<CommandKey>({ text: turnsText, values: keys });
  await lockCommands(client, [...turns, ...(await clearsNow())]);
  const clears = await clearsNow();
  await takeBack(
    client,
    clears.filter(({ isOut }) => !isOut),
    now,
  );
  const { rows: lost } = await client.query<Lost>({ text: lostText, values: [...keys, since] });
  await waitToBeHeard(
    client,
    lost.filter(({ isHeardFirst }) => isHeardFirst),
    now,
  );
  const atOnce = [
    ...clears.filter(({ isOut }) => isOut),
    ...lost.filter(({ isHeardFirst }) => !isHeardFirst),
  ];
  const places = new Map(atOnce.map((unit) => [unit.deviceId, unit]));
  for (const { farmId, deviceId } of places.values()) await catchUpAtOnce(client, { farmId, deviceId }, now);
}

async function takeBack(client: SqlClient, clears: readonly Clear[], now: Date): Promise<void> {
  await writeUnits(
    client,
    clears.map(({ isOut: _none, ...unit }) => ({
      ...unit,
      at: now,
      state: 'cancelled',
      note: 'Not sent: it is in service again.',
    })),
  );
  await writeCommandStates(client, clears, now);
}
