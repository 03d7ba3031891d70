/** What a provider says of a message that it took. `id`: what it calls it. */
export interface SmsReceipt {
  readonly id: string;
  readonly state: 'delivered' | 'failed';
  readonly reason: string;
}

/** What somebody wrote back. */
export interface SmsReply {
  /** What its provider calls it, each time that it tells of it; empty: nothing. */
  readonly id: string;
  readonly from: string;
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** A provider whose calls are known: how it is asked to send, and what it tells. */
export interface SmsProvider {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** {receipt}: where it tells what became of it. */
  readonly body: string;
  /** What it calls what it took; undefined: it didn't take it, for `reason`. */
  readonly takenAs: (reply: unknown) => { id: string } | { reason: string };
  /** Why it takes nothing to this number; undefined: it says something else. */
  readonly refusalIn?: (said: unknown) => string | undefined;
  /** Null: it says something else, as that it is on its way. */
  readonly receiptIn: (said: Fields) => SmsReceipt | null;
  readonly replyIn: (said: Fields) => SmsReply | null;
}

export const smsProviderNames = ['twilio', 'clicksend', 'messagemedia'] as const;
export type SmsProviderName = (typeof smsProviderNames)[number];

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Fields)[name] : undefined;
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);
const form = {
  'content-type': 'application/x-www-form-urlencoded',
  authorization: 'Basic {basic}',
} as const;
const json = { 'content-type': 'application/json', authorization: 'Basic {basic}' } as const;

function receipt(id: unknown, state: SmsReceipt['state'] | null, reason: unknown): SmsReceipt | null {
  const known = textOf(id);
  return known === '' || state === null ? null : { id: known, state, reason: textOf(reason).slice(0, 200) };
}

function reply(id: unknown, from: unknown, text: unknown): SmsReply | null {
  const number = textOf(from).replace(/[^\d+]/g, '');
  return number === '' || typeof text !== 'string'
    ? null
    : { id: textOf(id).slice(0, 100), from: number.startsWith('+') ? number : `+${number}`, text };
}

/** Twilio's error codes of a number that is none, is no mobile, or that has written STOP. */
const TWILIO_REFUSES = [21211, 21214, 21217, 21610, 21614];

/** By their public documentation: Twilio's Messages resource, ClickSend's REST v3, MessageMedia's Messages v1. */
export const smsProviders: Readonly<Record<SmsProviderName, SmsProvider>> = {
  twilio: {
    url: 'https://api.twilio.com/2010-04-01/Accounts/{user}/Messages.json',
    headers: form,
    body: 'To={to}&From={from}&Body={text}&StatusCallback={receipt}',
    takenAs(said) {
      const id = textOf(memberOf(said, 'sid'));
      return id ? { id } : { reason: textOf(memberOf(said, 'message')) };
    },
    refusalIn: (said) =>
      TWILIO_REFUSES.includes(Number(memberOf(said, 'code'))) ? textOf(memberOf(said, 'message')) : undefined,
    receiptIn({ MessageSid, MessageStatus, ErrorCode }) {
      const status = textOf(MessageStatus);
      const isLost = status === 'undelivered' || status === 'failed';
      return receipt(MessageSid, status === 'delivered' ? status : isLost ? 'failed' : null, ErrorCode);
    },
    replyIn: ({ MessageSid, From, Body }) => reply(MessageSid, From, Body),
  },
  clicksend: {
    url: 'https://rest.clicksend.com/v3/sms/send',
    headers: json,
    body: '{"messages":[{"source":"headrace","from":"{from}","to":"{to}","body":"{text}"}]}',
    takenAs(said) {
      const first = firstOf(memberOf(memberOf(said, 'data'), 'messages'));
      const [id, status] = [textOf(memberOf(first, 'message_id')), textOf(memberOf(first, 'status'))];
      return id && status === 'SUCCESS' ? { id } : { reason: status };
    },
    receiptIn({ message_id, status_code, status, error_text }) {
      const code = textOf(status_code);
      const isThere = code === '201' || textOf(status).toLowerCase() === 'delivered';
      return receipt(message_id, isThere ? 'delivered' : code.startsWith('3') ? 'failed' : null, error_text);
    },
    replyIn: ({ message_id, from, body }) => reply(message_id, from, body),
  },
  messagemedia: {
    url: 'https://api.messagemedia.com/v1/messages',
    headers: json,
    body: '{"messages":[{"content":"{text}","destination_number":"{to}","delivery_report":true,"format":"SMS","callback_url":"{receipt}"}]}',
    takenAs(said) {
      const first = firstOf(memberOf(said, 'messages'));
      const id = textOf(memberOf(first, 'message_id'));
      return id ? { id } : { reason: textOf(memberOf(first, 'status')) };
    },
    receiptIn({ message_id, status, status_code }) {
      const is = textOf(status);
      const isLost = ['failed', 'rejected', 'expired', 'undeliverable'].includes(is);
      return receipt(message_id, is === 'delivered' ? is : isLost ? 'failed' : null, status_code);
    },
    // `message_id` is there what was replied to.
    replyIn: ({ reply_id, source_number, content }) => reply(reply_id, source_number, content),
  },
};
