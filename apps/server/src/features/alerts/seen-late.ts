import { type AlertClass, alertKindInfo } from '@headrace/contract/rules/alerts/alert-kinds';
import { endMessage } from '@headrace/contract/rules/alerts/alert-texts';
import type { Replayed } from '@headrace/contract/rules/alerts/replay';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { lockRules } from './alert-rules.repo.ts';
import { grouped } from './grouped.ts';
import { alertSubject } from './incident-subject.ts';
import type { RuleRow } from './observation.ts';
import { metricsOf, pointsOf, replayed, watchedBy } from './replayed.ts';
import { classOf } from './rule-life.ts';
import { countsOf, READINGS_MAX, readingsOf } from './trial.repo.ts';

const DAY_MS = 86_400_000;
/** So far back what came late is looked for: each day looks, and one may have been missed, ms. */
const BACK_MS = 2 * DAY_MS;
/** An alert that was told at the time may have begun and ended by another word, ms. */
const SLACK_MS = 15 * 60_000;

/** One that began and ended by readings that came too late for anybody to be told. */
interface Late {
  readonly rule: RuleRow;
  readonly device: DeviceRow;
  readonly found: Replayed & { readonly endedAt: number };
}

/**
 * What a farm's alerts would have told of the last days by all that is stored now, and did not: readings that came late, or several at
 * once, show that it began and ended. It is written down, stands in the digest and wakes nobody. Of kinds that go by readings which are
 * stored.
 */
export async function writeSeenLate(
  db: Db,
  farm: FarmRow,
  rules: readonly RuleRow[],
  now: Date,
): Promise<void> {
  const late: Late[] = [];
  for (const rule of rules) for await (const one of endedOf(db, farm, rule, now)) late.push(one);
  if (late.length === 0) return;
  await db.transaction().execute(async (trx) => {
    await lockRules(trx, farm.id);
    for (const one of await unknownOf(trx, farm.id, late)) await write(trx, farm, one, now);
  });
}

/** By what the alert says now, since it says that. */
async function* endedOf(db: Db, farm: FarmRow, rule: RuleRow, now: Date): AsyncGenerator<Late> {
  const metrics = metricsOf(rule);
  if (!metrics) return;
  const since = new Date(Math.max(now.getTime() - BACK_MS, new Date(rule.updated_at).getTime()));
  for await (const devices of asManyAsFit(db, farm.id, rule, since)) {
    const ids = devices.map(({ id }) => id);
    const readings = await readingsOf(db, farm.id, ids, metrics, since);
    const byDevice = grouped(readings, ({ device_id }) => device_id);
    for (const device of devices)
      for (const found of replayed(pointsOf(rule.kind, device, byDevice.get(device.id) ?? []), rule, now))
        if (found.endedAt !== null) yield { rule, device, found: { ...found, endedAt: found.endedAt } };
  }
}

/** Its devices, as many at once as have no more readings than can be read at once. */
async function* asManyAsFit(
  db: Db,
  farmId: number,
  rule: RuleRow,
  since: Date,
): AsyncGenerator<readonly DeviceRow[]> {
  const watched = await watchedBy(db, farmId, rule);
  const ids = watched.map(({ id }) => id);
  const counts = await countsOf(db, farmId, ids, metricsOf(rule) ?? [], new Date(since.getTime() - DAY_MS));
  let some: DeviceRow[] = [];
  let room = READINGS_MAX;
  for (const device of watched) {
    const count = counts.get(device.id) ?? 0;
    if (some.length > 0 && count > room) {
      yield some;
      [some, room] = [[], READINGS_MAX];
    }
    some.push(device);
    room -= count;
  }
  if (some.length > 0) yield some;
}

/** Without those that an episode of then is about, whether it was told or is written down as seen late. */
async function unknownOf(trx: Db, farmId: number, late: readonly Late[]): Promise<Late[]> {
  const at = (of: (one: Late) => number) => late.map((one) => new Date(of(one)));
  const { rows } = await sql<{ nth: string }>`
    select m.nth from unnest(${late.map(({ rule }) => rule.id)}::int[], ${late.map(({ rule }) => rule.version)}::int[],
        ${late.map(({ device }) => device.id)}::int[], ${at(({ found }) => found.since - SLACK_MS)}::timestamptz[],
        ${at(({ found }) => found.endedAt + SLACK_MS)}::timestamptz[])
      with ordinality as m (rule_id, version, device_id, from_at, to_at, nth)
      join alert_rule r on r.farm_id = ${farmId} and r.id = m.rule_id and r.version = m.version and r.enabled
    where not exists (select from alert_episode e where e.farm_id = ${farmId} and e.rule_id = m.rule_id
      and e.device_id = m.device_id and e.since <= m.to_at and (e.ended_at is null or e.ended_at >= m.from_at))`.execute(
    trx,
  );
  return rows.flatMap(({ nth }) => late[Number(nth) - 1] ?? []);
}

async function write(trx: Db, farm: FarmRow, { rule, device, found }: Late, now: Date): Promise<void> {
  const { since, firedAt, endedAt, peak } = found;
  const of: AlertClass = classOf(rule, alertKindInfo[rule.kind].class);
  const facts = { name: device.name, ...(rule.kind === 'LowBattery' && { unit: 'V' }) };
  const { id } = await trx
    .insertInto('alert_incident')
    .values({
      farm_id: farm.id,
      uid: newUid(now),
      rule_id: rule.id,
      rule_name: rule.name,
      kind: rule.kind,
      class: of,
      opened_at: new Date(firedAt),
      ended_at: new Date(endedAt),
      seen_late_at: now,
      answered_by: null,
      answered_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('alert_episode')
    .values({
      farm_id: farm.id,
      rule_id: rule.id,
      device_id: device.id,
      part: 0,
      incident_id: id,
      state: 'ended',
      class: of,
      since: new Date(since),
      // Nobody was told: it doesn't count among those that come and go.
      fired_at: null,
      answered_at: null,
      clear_since: new Date(endedAt),
      ended_at: new Date(endedAt),
      value: null,
      peak,
      came_back: 0,
      facts: JSON.stringify(facts),
      due_at: null,
    })
    .execute();
  const episode = { facts, since, value: null, peak, endedAt };
  const note = endMessage(alertSubject(rule.kind, rule), [episode], toZone(farm), now.getTime()) ?? '';
  await trx
    .insertInto('alert_step')
    .values({ farm_id: farm.id, incident_id: id, at: now, what: 'seen late', by_account: null, note })
    .execute();
}
