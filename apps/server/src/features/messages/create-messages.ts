import { sql } from 'kysely';
import { smsText } from '@headrace/contract/rules/alerts/sms-parts';
import type { Db } from '../../db/client.ts';
import { tellServers } from '../../live/database-news.ts';
import { createNotificationsRepo } from '../notifications/notifications.repo.ts';
import { unsubscribeKey } from '../notifications/unsubscribe-key.ts';
import { createMessageProgress } from '../outbox/message-progress.ts';
import { createOutboxRepo, type OutboxEntry, type Way } from '../outbox/outbox.repo.ts';
import { e164, mailAddress, mailSubject, NoAddress } from './addresses.ts';
import { hashShownKey, newShownKey } from '../outbox/shown-key.ts';
import { cut } from '../../cut.ts';
import { roomAgain } from '../../room-again.ts';
import { type Delivery, type Mail, MAILS_A_DAY, type Messages, type Note, type Sms } from './messages.ts';
import { renderMail } from './render-mail.ts';

export interface MessagesOptions {
  readonly db: Db;
  /** Where people reach the app, as `https://water.example.com`: the links of mails begin with it. */
  readonly publicUrl: string;
}

/** Of a note as it is told live, characters: news through the database is 8000 bytes at most. The bell has all of it. */
const TOAST_MAX = 1000;

/** Stores what people are to be told; see Messages. */
export function createMessages(options: MessagesOptions): Messages {
  const { db } = options;
  const publicUrl = options.publicUrl.replace(/\/+$/, '');
  const outbox = createOutboxRepo(db);
  const notifications = createNotificationsRepo(db);

  function mailEntry(mail: Mail): OutboxEntry {
    const { text, html } = renderMail(mail, publicUrl);
    const [recipient, subject] = [mailAddress(mail.to), mailSubject(mail.subject)];
    const is_awaited = mail.isAwaited ?? false;
    const unsubscribe = mail.unsubscribe ? `${publicUrl}${mail.unsubscribe}` : '';
    const { thread = null } = mail;
    return {
      way: 'mail',
      recipient,
      subject,
      body: text,
      html,
      is_awaited,
      unsubscribe,
      thread,
      ...deliveryOf(mail),
    };
  }

  /**
   * The ways by which the account wants to hear, beside the bell, or only some of them. A mail goes to an address that is known to be
   * this person's.
   */
  async function otherWays(
    accountId: number,
    note: Note,
    now: Date,
    trx: Db,
    ways: readonly Way[] | undefined = note.ways,
  ): Promise<OutboxEntry[]> {
    const account = await notifications.recipient(accountId, trx);
    if (!account) return [];
    const entries: OutboxEntry[] = [];
    const { mobile, country_code: countryCode } = account;
    const wants = (way: Way, isOn: boolean) => isOn && (ways === undefined || ways.includes(way));
    if (wants('mail', account.send_email) && account.email_confirmed_at)
      entries.push(...(await mailEntries(accountId, note, account, now, trx)));
    if (wants('sms', account.send_sms) && mobile && countryCode)
      entries.push(...ifReachable(() => smsEntry({ countryCode, mobile, text: noteAsSms(note, publicUrl) })));
    if (wants('push', account.send_push)) entries.push(...(await pushEntries(accountId, note, trx)));
    return entries.map((entry) => ({ ...entry, account_id: accountId, ...deliveryOf(note) }));
  }

  async function mailEntries(
    accountId: number,
    note: Note,
    account: { name: string; email: string },
    now: Date,
    trx: Db,
  ): Promise<OutboxEntry[]> {
    const key = await unsubscribeKey(trx, accountId, now);
    const unsubscribe = `/unsubscribe?key=${key}`;
    return ifReachable(() => mailEntry({ ...noteAsMail(note, account), unsubscribe }));
  }

  const dayBefore = (now: Date) => new Date(now.getTime() - 86_400_000);

  async function roomFor(address: string, more: number, now: Date, trx: Db = db): Promise<Date> {
    const mailed = await outbox.mailsSince(address, dayBefore(now), trx);
    const uses = mailed.map((at) => ({ at, count: 1 }));
    return roomAgain(uses, MAILS_A_DAY, more, now);
  }

  const isTooMuch = async (accountId: number, note: Note, now: Date, trx: Db) =>
    note.isMinor === true && (await notifications.countSince(accountId, dayBefore(now), trx)) > MAILS_A_DAY;

  async function notifyIn(trx: Db, accountId: number, given: Note, now: Date): Promise<void> {
    const note = asItReads(given);
    const { title, message, link = '', alert = false, dedupeKey } = note;
    const row = await notifications.add(accountId, { title, message, link, dedupe_key: dedupeKey }, now, trx);
    if (!row) return;
    if (!(await isTooMuch(accountId, note, now, trx)))
      await outbox.add(await otherWays(accountId, note, now, trx), now, trx);
    const shown = { title: cut(title, TOAST_MAX / 4), message: cut(message, TOAST_MAX) };
    const data = { _id: row.uid, ...shown, link, isRead: false, at: now.toISOString(), alert };
    await tellServers(trx, { kind: 'account', accountId, frame: { type: 'new_notification', data } });
    await tellServers(trx, { kind: 'notifications-changed', accountId });
  }

  return {
    async mail(mail, now, trx) {
      const entry = mailEntry(mail);
      const goes = !mail.isMinor || (await roomFor(entry.recipient, 1, now, trx)) <= now;
      if (goes) await outbox.add([entry], now, trx);
    },

    roomAgain: roomFor,

    async mailOnce(mail, since, now) {
      const same = { to: mailAddress(mail.to), subject: mailSubject(mail.subject) };
      if (await outbox.hasSince(same, since)) return;
      await db.transaction().execute(async (trx) => {
        // Many may want to send it at the same moment: one after the other.
        await sql`select pg_advisory_xact_lock(hashtext(${`headrace mail once ${same.to}`}))`.execute(trx);
        if (!(await outbox.hasSince(same, since, trx)))
          await outbox.add([mailEntry(await mail.make(trx))], now, trx);
      });
    },

    async sms(sms, now, trx) {
      await outbox.add([{ ...smsEntry(sms), ...deliveryOf(sms) }], now, trx);
    },

    notify: (accountId, note, now, trx) =>
      trx
        ? notifyIn(trx, accountId, note, now)
        : db.transaction().execute((own) => notifyIn(own, accountId, note, now)),

    async sendBy(way, accountId, note, now, trx) {
      const entries = await otherWays(accountId, asItReads(note), now, trx, [way]);
      await outbox.add(
        entries.map((entry) => ({ ...entry, is_awaited: note.isAwaited ?? false })),
        now,
        trx,
      );
      return entries.length;
    },

    howFar: (accountId, dedupeKey) => createMessageProgress(db).ofKey(accountId, dedupeKey),

    cancel: (dedupeKey, { accountId } = {}, trx) => outbox.cancel(dedupeKey, accountId, trx),
  };
}

/** A name may hold signs that turn the direction of what stands beside it, and so what it says. */
const asItReads = (note: Note): Note => ({
  ...note,
  title: withoutTurns(note.title),
  message: withoutTurns(note.message),
  ...(note.sms !== undefined && { sms: withoutTurns(note.sms) }),
});

const withoutTurns = (text: string): string => text.replaceAll(/\p{Bidi_Control}/gu, '');

const deliveryOf = ({ dedupeKey, expiresAt }: Delivery) => ({ dedupe_key: dedupeKey, expires_at: expiresAt });

/** A number that is none must not keep the note from the bell and the other ways. */
function ifReachable(entry: () => OutboxEntry): OutboxEntry[] {
  try {
    return [entry()];
  } catch (error) {
    if (error instanceof NoAddress) return [];
    throw error;
  }
}

function smsEntry({ countryCode, mobile, text }: Sms): OutboxEntry {
  return { way: 'sms', recipient: e164(countryCode, mobile), subject: '', body: text };
}

async function pushEntries(accountId: number, note: Note, trx: Db): Promise<OutboxEntry[]> {
  const devices = await trx
    .selectFrom('push_device')
    .select('uid')
    .where('account_id', '=', accountId)
    .execute();
  const { title, message, link = '', topic, isUrgent, answerKey: answer } = note;
  return devices.map(({ uid }) => {
    const key = newShownKey();
    const body = JSON.stringify({ title, message, link, key, topic, isUrgent, answer });
    return { way: 'push', recipient: uid, subject: title, body, shown_key_hash: hashShownKey(key) };
  });
}

function noteAsMail(note: Note, account: { name: string; email: string }): Mail {
  return {
    to: account.email,
    subject: note.title,
    name: account.name,
    paragraphs: [note.message],
    ...actionsOf(note),
    ...(note.topic && { thread: note.topic }),
    footnote:
      'You get this because your account asks for notifications by e-mail. Settings, then Alerts, ends it.',
  };
}

/** What can be answered is answered without signing in; the app is the other way to it. */
function actionsOf({ link, answerKey }: Note): Pick<Mail, 'action' | 'otherAction'> {
  const open = link && { label: 'Open in Headrace', path: link };
  if (!answerKey) return link ? { action: { label: 'Open', path: link } } : {};
  return {
    action: { label: "See it, and say that you're on it", path: `/a/${answerKey}` },
    ...(open && { otherAction: open }),
  };
}

/** Enough for a sentence. */
const SMS_PARTS_MAX = 3;

const noteAsSms = ({ title, message, sms, answerKey }: Note, publicUrl: string): string =>
  smsText(sms ?? `${title}: ${message}`, SMS_PARTS_MAX, answerKey && ` ${publicUrl}/a/${answerKey}`);
