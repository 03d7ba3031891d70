import { sql } from 'kysely';

/** When device `d` got the MAC that it has, in SQL. */
export const macEnteredAt = sql<Date>`coalesce(
  (select max(c.at) from change_log c where c.farm_id = d.farm_id and c.uid = d.uid
    and c.fields @> '[{"field": "mac"}]'), d.created_at)`;

/**
 * Device `d` was heard since its MAC was entered, in SQL: by its own key where it is a gateway, else through its farm's gateway or
 * network server. Until then its MAC is claimed. It is the farm's word and no proof: whoever has one of these keys can report any device.
 */
export const isHeard = sql<boolean>`exists (
  select from (select ${macEnteredAt} as at) entered
  where exists (select from gateway_state g where g.farm_id = d.farm_id and g.device_id = d.id and g.contact_at >= entered.at)
    or exists (select from series s join latest l on l.farm_id = s.farm_id and l.series_id = s.id
      where s.farm_id = d.farm_id and s.device_id = d.id and coalesce(l.heard_at, l.at) >= entered.at)
    or exists (select from device_fact x
      where x.farm_id = d.farm_id and x.device_id = d.id and x.at >= entered.at))`;
