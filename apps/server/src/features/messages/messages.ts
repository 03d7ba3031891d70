import type { Db } from '../../db/client.ts';
import type { MessageProgress } from '../outbox/message-progress.ts';
import type { Way } from '../outbox/outbox.repo.ts';

/** What any message may say of when it is sent, and how often. */
export interface Delivery {
  /** One message of this key to each person, however often and by however many servers it is asked for. Known for 30 days. */
  readonly dedupeKey?: string;
  /** From then on it is of no use: what has not gone is not sent. Unset: it is tried for a day. */
  readonly expiresAt?: Date;
}

/** A mail as features ask for it: plain sentences; how it looks as text and as HTML is the mailer's. */
export interface Mail extends Delivery {
  readonly to: string;
  readonly subject: string;
  /** Who it speaks to: the greeting's name. Empty: greets without one. */
  readonly name: string;
  readonly paragraphs: readonly string[];
  /** A button: `path` in the app, as `/invite?key=…`. */
  readonly action?: { readonly label: string; readonly path: string };
  /** Below it, as a link: another way to the same. */
  readonly otherAction?: { readonly label: string; readonly path: string };
  /** In small print: why this person gets it. */
  readonly footnote?: string;
  /** Where such mails are ended with one click, as a path in the app. */
  readonly unsubscribe?: string;
  /** What it belongs to, as a uid: mail programs show mails of one together. */
  readonly thread?: string;
  /** Somebody sits and waits for it: it goes before what is only news. */
  readonly isAwaited?: true;
  /** Others can cause it again and again: not sent to an address that had MAILS_A_DAY. */
  readonly isMinor?: true;
}

/** One that is written only where it is sent: it holds a key. */
export interface MailToMake {
  readonly to: string;
  readonly subject: string;
  make(trx: Db): Promise<Mail>;
}

/** In 24 hours to one address, from all who can make us write there: what is more is refused, or told in the bell alone. */
export const MAILS_A_DAY = 100;

export interface Sms extends Delivery {
  /** 64 or 61, and the number without its leading zero or with it. */
  readonly countryCode: number;
  readonly mobile: string;
  readonly text: string;
}

/** Something an account should know, in the bell of its pages. */
export interface Note extends Delivery {
  readonly title: string;
  readonly message: string;
  /** Path in the app that it is about. */
  readonly link?: string;
  /** Shown at once for three seconds. */
  readonly alert?: boolean;
  /** Others can cause it again and again: beyond MAILS_A_DAY it is in the bell alone. */
  readonly isMinor?: true;
  /** Somebody sits and waits for it. */
  readonly isAwaited?: true;
  /** Beside the bell, of those that the account has on; unset: all of them. */
  readonly ways?: readonly Way[];
  /** What it is about, as a uid: a phone that was off gets the newest of them alone. */
  readonly topic?: string;
  /** With it the person answers what it is about, from where they read it: `/a/{key}`. */
  readonly answerKey?: string;
  /** What an SMS says instead, each part of which costs. */
  readonly sms?: string;
  /** Phones that save their battery are woken. */
  readonly isUrgent?: true;
}

export type MessageState = Awaited<ReturnType<MessageProgress['ofKey']>>[number];

/**
 * What features tell people. Everything is stored in the outbox or the notifications first, in `trx` where one is given,
 * and sent by a job: nothing is lost with the mail server or our own process.
 */
export interface Messages {
  mail(mail: Mail, now: Date, trx?: Db): Promise<void>;
  /** Not when mail with this subject went to that address since `since`: a guesser must not flood anybody. */
  mailOnce(mail: MailToMake, since: Date, now: Date): Promise<void>;
  /** When so many more mails are within MAILS_A_DAY for the address: `now`, or later. */
  roomAgain(address: string, more: number, now: Date, trx?: Db): Promise<Date>;
  sms(sms: Sms, now: Date, trx?: Db): Promise<void>;
  /** Into the account's bell and by the ways it wants; on its open pages once `trx` is committed. */
  notify(accountId: number, note: Note, now: Date, trx?: Db): Promise<void>;
  /** By this way alone, if the account wants to hear by it, and not into the bell. How many messages that made. */
  sendBy(way: Way, accountId: number, note: Note, now: Date, trx: Db): Promise<number>;
  /** How far the messages of one key to an account got, in the order in which they were stored; the bell is not among them. */
  howFar(accountId: number, dedupeKey: string): Promise<MessageState[]>;
  /** What waits under this key is not sent any more, to anybody or to this account. The bell keeps it. */
  cancel(dedupeKey: string, of?: { readonly accountId?: number }, trx?: Db): Promise<void>;
}
