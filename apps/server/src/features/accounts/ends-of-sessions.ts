import { sql } from 'kysely';
import { SESSION_MOST_DAYS, SESSION_TOLD_DAYS } from '@headrace/contract/limits';
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
}

/**
 * People are told before a session ends that alerts depend on, and where use alone no longer keeps one. Once a week before, once a day
 * before, and of alerts also when it has ended.
 */
export async function tellOfEnds(db: Db, messages: Messages, now: Date): Promise<void> {
  for (const session of await endingSessions(db, now)) {
    const isOver = session.expires_at <= now;
    const left = session.expires_at.getTime() - now.getTime();
    const which = isOver ? 'over' : left > SESSION_TOLD_DAYS.last * DAY ? 'first' : 'last';
    const note: Note = {
      // Where nothing but a sign-in is at stake the bell will do.
      ways: session.has_push ? ['mail', 'push'] : [],
      ...(isOver
        ? overNote(session)
        : session.expires_at < session.ends_at
          ? unusedNote(session)
          : endNote(session)),
      link: '/security',
      dedupeKey: `session ${session.uid} ends ${dayOf(session.expires_at)} ${which}`,
      ...(!isOver && { expiresAt: session.expires_at }),
    };
    await messages.notify(session.account_id, note, now);
  }
}

async function endingSessions(db: Db, now: Date): Promise<Ending[]> {
  const soon = new Date(now.getTime() + SESSION_TOLD_DAYS.first * DAY);
  const { rows } = await sql<Ending>`
    select uid, account_id, user_agent, last_used_at, expires_at, ends_at, has_push from (
      select s.*, exists (select from push_device p join account a on a.id = p.account_id
          where p.account_id = s.account_id and p.device_uid = s.device_uid and a.send_push)
        and not exists (select from session o where o.account_id = s.account_id and o.device_uid = s.device_uid
          and o.uid <> s.uid and o.expires_at > greatest(s.expires_at, ${now})) as has_push
      from session s where s.expires_at <= ${soon}) ending
    where has_push or (expires_at > ${now} and ends_at <= ${soon})
    order by expires_at limit 1000`.execute(db);
  return rows;
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const losesAlerts = ({ has_push }: Ending) => (has_push ? ', and no alert reaches it any more' : '');

function endNote(session: Ending): Note {
  const browser = browserName(session.user_agent);
  return {
    title: `${browser} will be signed out on ${dayOf(session.expires_at)}`,
    message: `It is signed out ${SESSION_MOST_DAYS} days after your password was last given there${losesAlerts(session)}. To go on, open Password & Security there and choose Stay signed in.`,
  };
}

function unusedNote(session: Ending): Note {
  const browser = browserName(session.user_agent);
  return {
    title: `${browser} will be signed out on ${dayOf(session.expires_at)}`,
    message: `Nobody has opened Headrace there since ${dayOf(session.last_used_at)}. On that day it is signed out${losesAlerts(session)}. To go on, open Headrace there once.`,
  };
}

function overNote({ user_agent, expires_at }: Ending): Note {
  return {
    title: `No alert reaches ${browserName(user_agent)} any more`,
    message: `It was signed out on ${dayOf(expires_at)}. Sign in there again, and alerts go there again once you turn them on.`,
  };
}
