import { type RawBuilder, sql } from 'kysely';
import { sprinklerGateways } from '@headrace/contract/gateway-types';

/** The gateway that device `d` names, unless it was removed. A unit that names none asks for none. */
const ownText = `case when d.gateway_id is not null then (select o.id from device o
  where o.farm_id = d.farm_id and o.id = d.gateway_id and o.kind = 'gateway' and o.deleted_at is null) end`;
/**
 * The same on one farm, whose gateways are found once: looked up for each unit they cost ten seconds on a farm that has just grown by
 * thousands, of which the database knows nothing yet.
 */
const ownOnText = [
  'case when d.gateway_id = any(array(select o.id from device o where o.farm_id = ',
  " and o.kind = 'gateway' and o.deleted_at is null)) then d.gateway_id end",
] as const;
/** Sorts gateways `g` that speak for sprinklers before the others. */
export const sprinklersFirst = `g.type not in (${sprinklerGateways.join(', ')})`;
const firstText = [
  '(select g.id from device g where g.farm_id = ',
  ` and g.kind = 'gateway' and g.deleted_at is null
    order by ${sprinklersFirst}, g.id limit 1)`,
] as const;

/** Id of the gateway for units that name none: the farm's first for sprinklers, else its first. */
export function firstGateway(farmId: number): RawBuilder<number | null> {
  return sql`${sql.raw(firstText[0])}${farmId}${sql.raw(firstText[1])}`;
}

/** Id of the gateway that speaks for device `d`. The farm is a value and no column, so that it is looked up once for all rows. */
export function speakingGateway(farmId: number): RawBuilder<number | null> {
  const [before, after] = ownOnText;
  return sql`coalesce(${sql.raw(before)}${farmId}${sql.raw(after)}, ${firstGateway(farmId)})`;
}

/** The same for devices of several farms. */
export const speakingGatewayOf: RawBuilder<number | null> = sql.raw(
  `coalesce(${ownText}, ${firstText.join('d.farm_id')})`,
);

/** The same in a statement whose first parameter is the farm. */
export const speakingGatewayText = `coalesce(${ownOnText.join('$1')}, ${firstText.join('$1')})`;
