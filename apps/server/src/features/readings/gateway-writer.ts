import type { PoolClient } from 'pg';
import type { DeviceKind } from '../../db/schema.ts';
import type { GatewayChange } from './gateway-changes.ts';
import type { ConfigAnswer, DeviceFact, IoTaken } from './interpret.ts';
import { booleanArray, numberArray } from '../../db/sql-arrays.ts';
import { ofUnits } from '../../db/unit-keys.ts';

const updateText = `update gateway_state g
  set contact_at = greatest(g.contact_at, to_timestamp(c.contact_ms / 1000)),
    online = coalesce(c.online, g.online),
    state_at = coalesce(to_timestamp(c.state_ms / 1000), g.state_at),
    boot_id = case when c.is_newest_hello then c.boot_id else g.boot_id end,
    acked_rev = greatest(case when c.is_newest_hello then coalesce(c.hello_rev, g.acked_rev) else g.acked_rev end, c.acked_rev),
    hello_at = greatest(g.hello_at, to_timestamp(c.hello_ms / 1000)),
    settings = case when c.is_newest then g.settings || c.settings::jsonb else g.settings end,
    info = (case when c.is_newest then g.info || c.info::jsonb else g.info end) 
      || (case when c.is_newest_hello then c.hello_info::jsonb else '{}' end),
    supports = case when c.is_newest_hello then c.hello_supports::jsonb else g.supports end,
    told_offset_s = case when c.is_newest_hello then null else g.told_offset_s end,
    data = case when c.is_newest then g.data || c.data::jsonb else g.data end,
    status_at = greatest(g.status_at, to_timestamp(c.status_ms / 1000))
  from (
    select k.*, coalesce(to_timestamp(k.status_ms / 1000) >= coalesce(s.status_at, '-infinity'), false) as is_newest,
      coalesce(to_timestamp(k.hello_ms / 1000) >= coalesce(s.hello_at, '-infinity'), false) as is_newest_hello
    from unnest($1::int[], $2::int[], $3::float8[], $4::boolean[], $5::float8[], $6::float8[], $7::text[], $8::int[],
        $9::text[], $10::int[], $11::float8[], $12::text[], $13::text[], $14::text[], $15::text[])
      as k (farm_id, device_id, contact_ms, online, state_ms, hello_ms, boot_id, hello_rev, hello_info, acked_rev,
        status_ms, settings, info, data, hello_supports)
    join gateway_state s on s.farm_id = k.farm_id and s.device_id = k.device_id
    order by k.farm_id, k.device_id for update of s
  ) c
  where g.farm_id = c.farm_id and g.device_id = c.device_id`;

const makeText = `insert into gateway_state (farm_id, device_id)
  select farm_id, device_id from ${ofUnits} order by 1, 2
  on conflict do nothing`;

/** States in the order they come, since only one server hears them; an older status or hello never replaces a newer one. */
export async function writeGatewayChanges(
  client: PoolClient,
  changes: readonly GatewayChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const keys = [
    numberArray(changes.map(({ gateway }) => gateway.farmId)),
    numberArray(changes.map(({ gateway }) => gateway.id)),
  ];
  const text = (members: object | undefined | null) => (members ? JSON.stringify(members) : null);
  const update = {
    name: 'update-gateways',
    text: updateText,
    values: [
      ...keys,
      numberArray(changes.map((change) => change.contactAt)),
      booleanArray(changes.map((change) => change.state?.online ?? null)),
      numberArray(changes.map((change) => change.state?.at ?? null)),
      numberArray(changes.map((change) => change.hello?.at ?? null)),
      changes.map((change) => change.hello?.bootId ?? null),
      numberArray(changes.map((change) => change.hello?.listRev ?? null)),
      changes.map((change) => text(change.hello?.info)),
      numberArray(changes.map((change) => change.listAck?.rev ?? null)),
      numberArray(changes.map((change) => change.status?.at ?? null)),
      changes.map((change) => text(change.status?.settings)),
      changes.map((change) => text(change.status?.info)),
      changes.map((change) => text(change.status?.data)),
      changes.map((change) => text(change.hello?.supports)),
    ],
  };
  const { rowCount } = await client.query(update);
  if (rowCount === changes.length) return;
  await client.query({ name: 'make-gateway-states', text: makeText, values: keys });
  await client.query(update);
}

const factsText = `insert into device_fact as f (farm_id, device_id, name, at, value)
  select farm_id, device_id, name, to_timestamp(ms / 1000), value
  from unnest($1::int[], $2::int[], $3::text[], $4::float8[], $5::text[]) as n (farm_id, device_id, name, ms, value)
  order by farm_id, device_id, name
  on conflict (farm_id, device_id, name) do update set at = excluded.at, value = excluded.value
    where f.at < excluded.at
  returning device_id`;

/** Keeps the newest of each fact; of two at the same time the first stays. Returns the devices of which one changed. */
export async function writeFacts(client: PoolClient, facts: readonly DeviceFact[]): Promise<Set<number>> {
  const newest = new Map<string, DeviceFact>();
  for (const fact of facts) {
    const key = `${fact.device.id} ${fact.name}`;
    const known = newest.get(key);
    if (!known || fact.at > known.at || (fact.at === known.at && fact.ownAt > known.ownAt))
      newest.set(key, fact);
  }
  if (newest.size === 0) return new Set();
  const rows = [...newest.values()];
  const result = await client.query<{ device_id: number }>({
    name: 'write-facts',
    text: factsText,
    values: [
      numberArray(rows.map(({ device }) => device.farmId)),
      numberArray(rows.map(({ device }) => device.id)),
      rows.map(({ name }) => name),
      numberArray(rows.map(({ at }) => at)),
      rows.map(({ value }) => value),
    ],
  });
  return new Set(result.rows.map((row) => row.device_id));
}

/** A device that has taken over its new configuration, or said why not. */
export interface ConfiguredDevice {
  farmId: number;
  farmUid: string;
  id: number;
  uid: string;
  serialNumber: string;
  kind: DeviceKind;
  type: number;
  answeredAt: Date;
  isDone: boolean;
}

// Done once is done; one that failed or was replaced may turn out to be done after all.
const configsText = `update config_update c set processed_at = case when k.error is null then to_timestamp(k.ms / 1000) end, error = k.error
  from (select distinct on (farm_id, uid) * from unnest($1::int[], $2::text[], $3::float8[], $4::text[])
      as k (farm_id, uid, ms, error) order by farm_id, uid, error nulls first) k, device d, farm f
  where c.farm_id = k.farm_id and c.uid = k.uid and c.processed_at is null
    and d.farm_id = c.farm_id and d.id = c.device_id and f.id = c.farm_id
  returning c.farm_id as "farmId", f.uid as "farmUid", d.id, d.uid, d.serial_number as "serialNumber", d.kind, d.type,
    to_timestamp(k.ms / 1000) as "answeredAt", k.error is null as "isDone"`;

/** Ids that aren't of a pending update on that farm change nothing. */
export async function writeConfigAnswers(
  client: PoolClient,
  answers: readonly ConfigAnswer[],
): Promise<ConfiguredDevice[]> {
  if (answers.length === 0) return [];
  const result = await client.query<ConfiguredDevice>({
    name: 'config-answers',
    text: configsText,
    values: [
      numberArray(answers.map(({ farmId }) => farmId)),
      answers.map(({ uid }) => uid),
      numberArray(answers.map(({ at }) => at)),
      answers.map(({ error }) => error),
    ],
  });
  return result.rows;
}

const ioTakenText = `update gateway_io g set acked_rev = greatest(g.acked_rev, k.rev)
  from (select farm_id, device_id, max(rev) as rev from unnest($1::int[], $2::int[], $3::int[]) as k (farm_id, device_id, rev)
    group by farm_id, device_id) k
  where g.farm_id = k.farm_id and g.device_id = k.device_id and k.rev <= g.rev`;

/** A number that we never gave out says nothing. */
export async function writeIoTaken(client: PoolClient, taken: readonly IoTaken[]): Promise<void> {
  if (taken.length === 0) return;
  await client.query({
    name: 'io-taken',
    text: ioTakenText,
    values: [
      numberArray(taken.map(({ gateway }) => gateway.farmId)),
      numberArray(taken.map(({ gateway }) => gateway.id)),
      numberArray(taken.map(({ rev }) => rev)),
    ],
  });
}

/** After a start of the embedded broker nobody is connected yet; each gateway's next hello or state says otherwise. */
export const allOfflineText = 'update gateway_state set online = false where online';
