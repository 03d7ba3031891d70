import type { Timezone } from '@headrace/contract/farms';
import { type AnswerSeen, busyGaps } from '@headrace/contract/rules/radio-pace';
import type { SqlClient } from '../../db/sql-client.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { dayText } from '../farm-clock/day-text.ts';
import type { GatewayKey } from './answers.ts';
import { groupBy } from '../../group-by.ts';

interface Answered {
  readonly at: Date;
  readonly isDone: boolean;
  readonly attempts: number | null;
}

const zoneText = `select time_zone_id, raw_offset, dst_offset, dst_enabled from farm where id = $1`;
const addText = `insert into radio_day as r (farm_id, gateway_id, day, answered, silent, tried_units, tries, busy_s, busy_units)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (farm_id, gateway_id, day) do update set answered = r.answered + excluded.answered,
    silent = r.silent + excluded.silent, tried_units = r.tried_units + excluded.tried_units, tries = r.tries + excluded.tries,
    busy_s = r.busy_s + excluded.busy_s, busy_units = r.busy_units + excluded.busy_units`;

/**
 * Adds a gateway's answers to the farm's days on which they came, in the transaction that takes them in. `seen`: the same with
 * the one before them, for the seconds between.
 */
export async function noteRadioDays(
  client: SqlClient,
  { farmId, gatewayId }: GatewayKey,
  units: readonly Answered[],
  seen: readonly AnswerSeen[],
): Promise<void> {
  const zone = await zoneOf(client, farmId);
  if (!zone) return;
  const gaps = busyGaps(seen);
  const days = groupBy(units, ({ at }) => dayText(zone, at.getTime()));
  for (const [index, ofDay] of days.entries()) {
    const [first] = ofDay;
    if (!first) continue;
    const tries = ofDay.flatMap(({ attempts }) => attempts ?? []);
    const done = ofDay.filter(({ isDone }) => isDone).length;
    // Answers of two days in one batch are rare: their seconds count for the later day.
    const busy = index === days.length - 1 ? gaps : [];
    const values = [done, ofDay.length - done, tries.length, sum(tries), sum(busy), busy.length];
    await client.query({
      name: 'radio-day',
      text: addText,
      values: [farmId, gatewayId, dayText(zone, first.at.getTime()), ...values],
    });
  }
}

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

type ZoneRow = Parameters<typeof toZone>[0];
async function zoneOf(client: SqlClient, farmId: number): Promise<Timezone | null> {
  const { rows } = await client.query<ZoneRow>({ name: 'farm-zone', text: zoneText, values: [farmId] });
  return rows[0] ? toZone(rows[0]) : null;
}
