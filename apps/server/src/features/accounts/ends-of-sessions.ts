import { sql } from 'kysely';
import { SESSION_MOST_DAYS, SESSION_NOTICE_DAYS } from '@headrace/contract/limits';
import type { Db } from '../../db/client.ts';
import { browserName } from '../../http/browser-name.ts';
import type { Messages, Note } from '../messages/messages.ts';

const DAY = 86_400_000;

interface Ending {
  uid: string;
  account_id: number;
  user_agent: string;
  last_used_at: Date;
  expires_at: Date;
  ends_at: Date;
  /** Alerts go to this browser, and no other session keeps them going. */
  has_push: boolean;
  /** Of their own oldest farm, or of one that they were let in to. */
  zone: string | null;
}

const PAGE = 1000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * People are told before a session ends that alerts depend on, and where use alone no longer keeps one. Once a week before, once a day
 * before, and of alerts also when it has ended.
 */
export async function tellOfEnds(
  db: Db,
  messages: Pick<Messages, 'notify'>,
  now: Date,
  size = PAGE,
): Promise<void> {
  let page: Ending[] = [];
  do {
    page = await endingSessions(db, now, page.at(-1)?.uid ?? BEFORE_ALL, size);
    await tell(page, messages, now);
  } while (page.length === size);
}

async function tell(page: readonly Ending[], messages: Pick<Messages, 'notify'>, now: Date): Promise<void> {
  for (const session of page) {
    const isOver = session.expires_at <= now;
    const left = session.expires_at.getTime() - now.getTime();
    const which = isOver ? 'over' : left > SESSION_NOTICE_DAYS.last * DAY ? 'first' : 'last';
    const note: Note = {
      // Where nothing but a sign-in is at stake the bell will do.
      ways: session.has_push ? ['mail', 'push'] : [],
      ...(isOver
        ? overNote(session)
        : session.expires_at < session.ends_at
          ? unusedNote(session)
          : endNote(session)),
      link: '/security',
      dedupeKey: `session ${session.uid} ends ${session.expires_at.toISOString().slice(0, 10)} ${which}`,
      ...(!isOver && { expiresAt: session.expires_at }),
    };
    await messages.notify(session.account_id, note, now);
  }
}

/** All of them in turn, page by page: thousands can end at one moment. */
async function endingSessions(db: Db, now: Date, after: string, size: number): Promise<Ending[]> {
  const soon = new Date(now.getTime() + SESSION_NOTICE_DAYS.first * DAY);
  const { rows } = await sql<Ending>`
    select uid, account_id, user_agent, last_used_at, expires_at, ends_at, has_push,
      (select f.time_zone_id from farm f where f.deleted_at is null and (f.owner_id = ending.account_id
          or exists (select from share s where s.agent_id = ending.account_id and s.state = 'accepted'
            and (s.farm_id = f.id or s.farm_id is null and s.owner_id = f.owner_id)))
        order by f.owner_id = ending.account_id desc, f.id limit 1) as zone from (
      select s.*, exists (select from push_device p join account a on a.id = p.account_id
          where p.account_id = s.account_id and p.device_uid = s.device_uid and a.send_push)
        and not exists (select from session o where o.account_id = s.account_id and o.device_uid = s.device_uid
          and o.uid <> s.uid and o.expires_at > greatest(s.expires_at, ${now})) as has_push
      from session s where s.expires_at <= ${soon}) ending
    where uid > ${after} and (has_push or (expires_at > ${now} and ends_at <= ${soon}))
    order by uid limit ${size}`.execute(db);
  return rows;
}

/** As their farm's calendar shows it. */
const dayOf = (at: Date, { zone }: Ending) =>
  new Intl.DateTimeFormat('en-NZ', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: zone ?? 'UTC',
  }).format(at);
const losesAlerts = ({ has_push }: Ending) => (has_push ? ', and no alert reaches it any more' : '');

function endNote(session: Ending): Note {
  const browser = browserName(session.user_agent);
  return {
    title: `${browser} will be signed out on ${dayOf(session.expires_at, session)}`,
    message: `It is signed out ${SESSION_MOST_DAYS} days after your password was last given there${losesAlerts(session)}. To go on, open Password & Security there and choose Stay signed in.`,
  };
}

function unusedNote(session: Ending): Note {
  const browser = browserName(session.user_agent);
  return {
    title: `${browser} will be signed out on ${dayOf(session.expires_at, session)}`,
    message: `Nobody has opened Headrace there since ${dayOf(session.last_used_at, session)}. On that day it is signed out${losesAlerts(session)}. To go on, open Headrace there once.`,
  };
}

function overNote(session: Ending): Note {
  return {
    title: `No alert reaches ${browserName(session.user_agent)} any more`,
    message: `It was signed out on ${dayOf(session.expires_at, session)}. Sign in there again, and alerts go there again once you turn them on.`,
  };
}
