import {
  DIGEST_LISTED,
  type DigestLine,
  type DigestPart,
  type Unheard,
  digestText,
  digestTitle,
} from '@headrace/contract/rules/alerts/digest';
import { alertTitle, farmClock, isUnwatched } from '@headrace/contract/rules/alerts/alert-texts';
import type { HeldBackReason } from '@headrace/contract/rules/alerts/held-back';
import { quietUntil } from '@headrace/contract/rules/alerts/quiet-hours';
import { withClock } from '@headrace/contract/rules/alerts/whose-clock';
import { clockTime, dayStart } from '@headrace/contract/rules/farm-time';
import { sql } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { accountsWithFlag } from '../access/who-may-hear.ts';
import { dayText } from '../farm-clock/day-text.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { IrrDiaryService } from '../irr-diary/irr-diary.service.ts';
import type { Messages } from '../messages/messages.ts';
import { createMessageProgress } from '../outbox/message-progress.ts';
import { alertEpisode, alertSubject } from './incident-subject.ts';
import type { IncidentOfFarm } from './incident-lists.repo.ts';
import { createIncidentsRepo } from './incidents.repo.ts';
import { readPreferences } from './preferences.repo.ts';

/** By the farm's clock, s after midnight; later than noon it is of no use. */
const FROM_S = 6.5 * 3600;
const UNTIL_S = 12 * 3600;
const DAY_MS = 86_400_000;

export interface DigestParts {
  readonly db: Db;
  readonly messages: Pick<Messages, 'sendBy'>;
  readonly diary: Pick<IrrDiaryService, 'lastTroubles'>;
  readonly log: { error(details: object, message: string): void };
}

/** Each morning what was in 24 hours, where anything was; once, however many servers run. */
export async function sendDigests(parts: DigestParts, now: Date): Promise<void> {
  const { db, log } = parts;
  for (const farm of await farmsWithNews(db, now)) {
    const zone = toZone(farm);
    const start = dayStart(zone, now.getTime());
    const until = clockTime(zone, start, UNTIL_S);
    if (now.getTime() < clockTime(zone, start, FROM_S) || now.getTime() >= until) continue;
    await db
      .transaction()
      .execute((trx) => sendDigest(trx, parts, farm, { day: dayText(zone, start), until }, now))
      .catch((error: unknown) => log.error({ err: error, farmId: farm.id }, 'a digest was not sent'));
  }
}

/** What goes on for weeks, and is known, is no news. */
const farmsWithNews = (db: Db, now: Date): Promise<FarmRow[]> =>
  db
    .selectFrom('farm as f')
    .selectAll('f')
    .where('f.deleted_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('alert_incident as i')
          .select('i.id')
          .whereRef('i.farm_id', '=', 'f.id')
          .where((eb) => {
            const since = new Date(now.getTime() - DAY_MS);
            return eb.or([
              eb('i.opened_at', '>', since),
              eb('i.ended_at', '>', since),
              eb('i.seen_late_at', '>', since),
              eb('i.answered_at', '>', since),
              eb.and([
                eb('i.ended_at', 'is', null),
                eb('i.answered_by', 'is', null),
                eb('i.class', '!=', 'info'),
              ]),
            ]);
          }),
      ),
    )
    .execute();

async function sendDigest(
  trx: Db,
  { messages, diary, log }: DigestParts,
  farm: FarmRow,
  { day, until }: { day: string; until: number },
  now: Date,
): Promise<void> {
  const { rows } = await sql`insert into alert_digest (farm_id, told_on) values (${farm.id}, ${day})
    on conflict (farm_id) do update set told_on = excluded.told_on, held_until = null
      where alert_digest.told_on < excluded.told_on or alert_digest.held_until <= ${now}
    returning 1`.execute(trx);
  if (rows.length === 0) return;
  const { open, ended } = await partsOf(trx, farm, now);
  const unheard = await unheardOf(trx, diary, farm, now).catch((error: unknown) => {
    log.error({ err: error, farmId: farm.id }, 'a digest lacks what is not known of the last watering');
    return null;
  });
  const hearers = await accountsWithFlag(trx, farm.id, 'notifications', now);
  const preferenceOf = await readPreferences(trx, hearers);
  const dedupeKey = `alert digest ${farm.uid} ${day}`;
  const progress = createMessageProgress(trx);
  let heldUntil = Infinity;
  for (const accountId of hearers) {
    const { digest, quiet, zone } = preferenceOf(accountId);
    if (!digest) continue;
    const wakes = quiet && quietUntil(quiet, now.getTime());
    if (wakes !== null) {
      if (wakes < until) heldUntil = Math.min(heldUntil, wakes);
      continue;
    }
    // Told before somebody else woke.
    if ((await progress.ofKey(accountId, dedupeKey)).length > 0) continue;
    const heldBack = await heldBackOf(trx, farm.id, accountId, new Date(now.getTime() - DAY_MS));
    const note = {
      title: digestTitle(farm.name, open.count, ended.count),
      message: withClock(digestText({ open, ended, heldBack, unheard }), zone, toZone(farm), now.getTime()),
      link: `/alerts?farm=${farm.uid}`,
      dedupeKey,
      expiresAt: new Date(now.getTime() + DAY_MS / 4),
    };
    // By mail, else as an instant message; never by SMS.
    if ((await messages.sendBy('mail', accountId, note, now, trx)) === 0)
      await messages.sendBy('push', accountId, note, now, trx);
  }
  if (heldUntil < Infinity)
    await trx
      .updateTable('alert_digest')
      .set({ held_until: new Date(heldUntil) })
      .where('farm_id', '=', farm.id)
      .execute();
}

/** What is so, and what came and went in 24 hours. */
async function partsOf(trx: Db, farm: FarmRow, now: Date): Promise<{ open: DigestPart; ended: DigestPart }> {
  const repo = createIncidentsRepo(trx);
  const since = new Date(now.getTime() - DAY_MS);
  const open = await repo.page(farm.id, 'open', undefined, DIGEST_LISTED);
  const ended = await repo.endedSince(farm.id, since, DIGEST_LISTED);
  const count = await repo.counts(farm.id, { endedSince: since });
  const episodes = await repo.episodes(
    [farm.id],
    [...open, ...ended].map(({ id }) => id),
  );
  const zone = toZone(farm);
  const clock = (at: Date | string) => farmClock(zone, new Date(at).getTime(), now.getTime());
  const lineOf = (row: IncidentOfFarm): DigestLine => {
    const subject = alertSubject(row.kind, undefined);
    const own = episodes.filter(({ incident_id }) => incident_id === row.id).map(alertEpisode);
    return {
      // Without the farm's name, which stands in the title.
      what: alertTitle('', subject, own).replace(/^: /, ''),
      since: clock(row.opened_at),
      until: row.ended_at === null ? null : clock(row.ended_at),
      by: row.answered_name,
      isLate: row.seen_late_at !== null,
      isUnwatched: row.ended_at !== null && isUnwatched(own),
    };
  };
  return {
    open: { lines: open.map(lineOf), count: count.open },
    ended: { lines: ended.map(lineOf), count: count.ended },
  };
}

/** Nobody alerts of what isn't known; where people want to hear of missed waterings, it is said here. */
async function unheardOf(
  trx: Db,
  diary: DigestParts['diary'],
  farm: FarmRow,
  now: Date,
): Promise<Unheard | null> {
  const rule = await trx
    .selectFrom('alert_rule')
    .select('id')
    .where('farm_id', '=', farm.id)
    .where('kind', '=', 'Missed')
    .where('enabled', '=', true)
    .limit(1)
    .executeTakeFirst();
  const last = rule ? await diary.lastTroubles(farm, now) : null;
  if (!last || last.unheard.count === 0 || last.endAt <= now.getTime() - DAY_MS) return null;
  return { ...last.unheard, until: farmClock(toZone(farm), last.endAt, now.getTime()) };
}

/** How often somebody was not told by other ways than the bell, by why. */
async function heldBackOf(trx: Db, farmId: number, accountId: number, since: Date) {
  return trx
    .selectFrom('alert_notice as n')
    .innerJoin('alert_step as s', (join) =>
      join.onRef('s.farm_id', '=', 'n.farm_id').onRef('s.id', '=', 'n.step_id'),
    )
    .select(['n.held_back as why', sql<number>`count(*)::int`.as('count')])
    .where('n.farm_id', '=', farmId)
    .where('n.account_id', '=', accountId)
    .where('n.held_back', 'is not', null)
    .where('s.at', '>', since)
    .groupBy('n.held_back')
    .orderBy('n.held_back')
    .$narrowType<{ why: HeldBackReason }>()
    .execute();
}
