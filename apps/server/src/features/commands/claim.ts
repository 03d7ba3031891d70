import type { PoolClient } from 'pg';
import type { Timezone } from '@headrace/contract/farms';
import { BEGIN_WITHIN_MAX_MIN } from '@headrace/device/command-life';
import { setAckId } from '@headrace/device/commands';
import { lanes } from '@headrace/device/lanes';
import { unitIsLive } from '../../db/under-way.ts';
import { lockStarts } from '../programmes/stop-writer.ts';
import type { CommandKey, GatewayKey } from './answers.ts';
import { type CommandProgress, lockCommands, lockGateways, writeCommandStates } from './command-writer.ts';
import type { SendOrder } from './down-messages.ts';
import { dropUnwanted, heldBackSince, isGone, isUnwanted, letsWater, skipHeldBack } from './held-back.ts';
import type { LiveUnit } from './waiting-units.ts';

/** What may go out, and how. */
export interface Claim extends SendOrder {
  readonly cmdId: string;
  readonly units: LiveUnit[];
  /** Units of it that ended meanwhile, since they must not get it, and what that did to the command. */
  readonly heldBack: { readonly count: number; readonly changed: readonly CommandProgress[] };
}

/** What a gateway will answer with: as it went out before, the command's own id, or the number of a set of schedules. */
export type MessageId = { readonly is: string } | { readonly uid: string } | { readonly ofSet: true };

interface ClaimedRow {
  deviceId: number;
  seq: number;
  within: number | null;
  expiresAt: Date;
}

/** Numbers go on with the seconds of the clock, so that a database that was put back to an older state repeats none. */
async function nextSeq(client: PoolClient, { farmId, gatewayId }: GatewayKey): Promise<number> {
  const { rows } = await client.query<{ seq: number }>(
    `update gateway_state set down_seq = greatest(down_seq + 1, extract(epoch from clock_timestamp())::bigint)
      where farm_id = $1 and device_id = $2 returning down_seq::float8 as seq`,
    [farmId, gatewayId],
  );
  return rows[0]?.seq ?? 1;
}

/** All units of a round have one number, that of its first sending. */
const orderOf = (rows: readonly ClaimedRow[]): SendOrder => ({
  seq: rows[0]?.seq ?? 0,
  within: rows.reduce<number | null>(
    (least, { within }) => (within === null ? least : Math.min(within, least ?? within)),
    null,
  ),
});

function claimedOf(units: readonly LiveUnit[], rows: readonly ClaimedRow[]): LiveUnit[] {
  const claimed = new Map(rows.map((row) => [row.deviceId, row]));
  return units.flatMap((unit) => {
    const row = claimed.get(unit.deviceId);
    return row ? [{ ...unit, expiresAt: row.expiresAt }] : [];
  });
}

/** A database's clock that was put back doesn't make it longer. */
const claimText = `update command_unit u set cmd_id = $4, seq = coalesce(u.seq, $5), mac = k.mac,
    sending = case when u.cmd_id is null then $9 else u.sending end,
    expires_at = case when $6::timestamptz is null then u.expires_at else least($6, c.expires_at) end
  from command c, unnest($3::int[], $8::text[]) as k (device_id, mac)
  where u.farm_id = $1 and u.command_id = $2 and u.device_id = any($3::int[]) and u.device_id = k.device_id and ${unitIsLive('u')}
    and u.cmd_id is not distinct from $10 and u.gateway_id = $11 and c.farm_id = u.farm_id and c.id = u.command_id
    and (c.open_by is null or c.open_by > clock_timestamp()
      and c.open_by <= clock_timestamp() + interval '${BEGIN_WITHIN_MAX_MIN} minutes')
    and not ${isUnwanted} and not ${isGone} and ${heldBackSince} is null
  returning u.device_id as "deviceId", u.seq::float8 as seq,
    case when c.open_by is not null then
      greatest(1, floor(extract(epoch from least(c.open_by - clock_timestamp(), c.expires_at - $7::timestamptz))))::int
    end as within,
    coalesce(u.expires_at, c.expires_at) as "expiresAt"`;

/**
 * Kept before anything is published: whatever happens then, an answer finds its command. Returns the units that may still go
 * out, and how: one that was cancelled meanwhile, or is to go anew, may not, and one that is claimed can't be cancelled any more. What lets water
 * run may go out until `open_by` by the database's clock, which no server's clock moves, and not to who must not water: those end
 * here. The number of a set of schedules is drawn here, so that a server that dies now has spent none. `until`: of a window of a send to many.
 */
export async function claimUnits(
  client: PoolClient,
  units: readonly LiveUnit[],
  gateway: GatewayKey & { readonly zone: Timezone },
  how: { id: MessageId; until: Date | null; now: Date },
): Promise<Claim> {
  const { farmId, commandId } = units[0] ?? { farmId: 0, commandId: 0 };
  if (units.some(letsWater)) await lockStarts(client, farmId);
  await lockGateways(client, farmId, [gateway.gatewayId]);
  await lockCommands(client, units);
  const sending = await nextSending(client, gateway, commandId);
  const name = await idOf(client, gateway, how.id, sending);
  const { rows } = await client.query<ClaimedRow>(claimText, [
    farmId,
    commandId,
    units.map(({ deviceId }) => deviceId),
    name,
    await nextSeq(client, gateway),
    how.until,
    how.now,
    units.map(({ mac }) => mac),
    sending,
    units[0]?.cmdId ?? null,
    gateway.gatewayId,
  ]);
  const claimed = claimedOf(units, rows);
  const left = units.filter((unit) => !rows.some((row) => row.deviceId === unit.deviceId));
  const { now } = how;
  const dropped = await dropUnwanted(client, left, now);
  const stopped = await skipHeldBack(client, left.filter(letsWater), { zone: gateway.zone, now });
  const heldBack = {
    count: dropped.count + stopped.count,
    changed: [...dropped.changed, ...stopped.changed],
  };
  return { cmdId: name, ...orderOf(rows), units: claimed, heldBack };
}

async function nextSending(
  client: PoolClient,
  { farmId, gatewayId }: GatewayKey,
  commandId: number,
): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select coalesce(max(sending), 0) + 1 as n from command_unit
      where farm_id = $1 and command_id = $2 and gateway_id = $3`,
    [farmId, commandId, gatewayId],
  );
  return rows[0]?.n ?? 1;
}

/** Units that had to wait for an earlier command get an id of their own: a gateway does nothing for an id that it has seen. */
async function idOf(
  client: PoolClient,
  gateway: GatewayKey,
  id: MessageId,
  sending: number,
): Promise<string> {
  if ('is' in id) return id.is;
  if ('ofSet' in id) return setAckId(await nextSetRev(client, gateway));
  return sending === 1 ? id.uid : `${id.uid}-${sending}`;
}

async function nextSetRev(client: PoolClient, { farmId, gatewayId }: GatewayKey): Promise<number> {
  const { rows } = await client.query<{ rev: number }>(
    `update gateway_state set set_rev = set_rev + 1 where farm_id = $1 and device_id = $2 returning set_rev as rev`,
    [farmId, gatewayId],
  );
  return rows[0]?.rev ?? 1;
}

const isSetOut = `farm_id = $1 and gateway_id = $2 and lane = ${lanes.many} and cmd_id like 'set-%'
  and ${unitIsLive()}`;
const setsOutText = `select farm_id as "farmId", command_id as "commandId" from command_unit where ${isSetOut}`;
const takeSetsBackText = `update command_unit set state = 'queued', cmd_id = null, sending = 0, seq = null, expires_at = null, at = $3
  where ${isSetOut}`;

/**
 * Before a gateway is told that what it holds of schedules is taken back: what other sends still want waits again, to go out
 * under a new number. Returns the number to withdraw up to.
 */
export async function takeSetsBack(
  client: PoolClient,
  gateway: GatewayKey,
  at: Date,
): Promise<{ rev: number; seq: number; changed: CommandProgress[] }> {
  const { farmId, gatewayId } = gateway;
  await lockGateways(client, farmId, [gatewayId]);
  const { rows } = await client.query<CommandKey>(setsOutText, [farmId, gatewayId]);
  await lockCommands(client, rows);
  await client.query(takeSetsBackText, [farmId, gatewayId, at]);
  return {
    rev: await nextSetRev(client, gateway),
    seq: await nextSeq(client, gateway),
    changed: await writeCommandStates(client, rows, at),
  };
}
