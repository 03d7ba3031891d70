import type { ColumnType, Generated } from 'kysely';
import type { AccountType } from '@headrace/contract/accounts';
import type { AccessEvent } from '@headrace/contract/sharing';
import type { CreatedAt, Json, Time } from './column-types.ts';

export interface AccountTable {
  id: Generated<number>;
  uid: string;
  email: string;
  name: string;
  type: AccountType;
  password_hash: string | null;
  approved: Generated<boolean>;
  must_change_password: Generated<boolean>;
  mobile: string | null;
  country_code: number | null;
  subscription_valid_until: Time;
  send_sms: Generated<boolean>;
  send_push: Generated<boolean>;
  send_email: Generated<boolean>;
  send_action: Generated<boolean>;
  /** Of its person's browser, as they last chose how they want to hear; null: nobody knows. */
  zone: Generated<string | null>;
  is_demo: Generated<boolean>;
  notes: Generated<string>;
  newsletter: Generated<boolean>;
  /** An address that takes the place of `email` when the link that went there is followed. */
  pending_email: Generated<string | null>;
  /** Since when the address is known to be this person's. */
  email_confirmed_at: Generated<Date | null>;
  accepted_terms: Generated<string | null>;
  terms_accepted_at: Generated<Date | null>;
  /** The operator's support staff. */
  is_staff: Generated<boolean>;
  /** Since when signing in takes two steps; null: it doesn't. */
  second_step_since: Generated<Date | null>;
  /** Since when people with whom its farms are shared are let in with a second step alone; null: without as well. */
  sharing_second_step_from: Generated<Date | null>;
  /** Whom it concerns were told that it begins within a day, or that it has begun. */
  sharing_second_step_told: Generated<'soon' | 'shut' | null>;
  /** When a closed account's days of grace end. */
  closes_at: Generated<Date | null>;
  tlm_subscription: Generated<boolean>;
  created_at: CreatedAt;
  updated_at: CreatedAt;
}

/** A key that was mailed; only its hash is kept. */
export interface AccountKeyTable {
  key_hash: Buffer;
  account_id: number;
  purpose: 'confirm-email' | 'reset-password' | 'passwordless' | 'change-email' | 'undo-email';
  /** The address it went to: it proves no other. */
  email: string;
  created_at: Time;
  expires_at: Time;
  used_at: Generated<Date | null>;
}

/** Secrets are sealed. */
export interface AuthenticatorTable {
  account_id: number;
  secret: Generated<Buffer | null>;
  /** The newest 30 s since 1970 of which a code was taken. */
  last_step: Generated<string>;
  pending: Generated<Buffer | null>;
  pending_at: Generated<Date | null>;
  /** When the first code of `secret` was right. */
  confirmed_at: Generated<Date | null>;
}

export interface PasskeyTable {
  uid: Generated<string>;
  account_id: number;
  credential_id: string;
  public_key: Buffer;
  counter: string | number;
  transports: string[];
  is_synced: boolean;
  name: string;
  created_at: Time;
  last_used_at: Generated<Date | null>;
}

/** Somebody is between two steps of signing in or of making a passkey. */
export interface SignInTicketTable {
  hash: Buffer;
  account_id: number | null;
  /** Own: of somebody who is signed in and changes how the account is signed in to. */
  kind: 'password' | 'mail' | 'own' | 'passkey' | 'new-passkey';
  is_proved: boolean;
  known_device: boolean;
  network: string;
  /** The browser that it was given to. */
  device_uid: Generated<string>;
  tries: Generated<number>;
  at: Time;
  expires_at: Time;
  used_at: Generated<Date | null>;
}

export interface SessionTable {
  uid: Generated<string>;
  token_hash: Buffer;
  account_id: number;
  device_uid: string;
  address: string;
  user_agent: string;
  created_at: Time;
  last_used_at: Time;
  expires_at: Time;
  /** However much it is used. */
  ends_at: Generated<Date>;
}

/**
 * `sent`: somebody took it. `delivered`: somebody said that it arrived. `expired`: it was too late to be of use. `cancelled`: it was
 * called off before it went.
 */
export type OutboxState = 'queued' | 'sent' | 'delivered' | 'failed' | 'expired' | 'cancelled';

export interface OutboxTable {
  id: Generated<string>;
  at: Time;
  way: Generated<'mail' | 'sms' | 'push'>;
  recipient: string;
  subject: string;
  body: string;
  html: Generated<string>;
  is_awaited: Generated<boolean>;
  /** Whose it is, where it is somebody's with an account. */
  account_id: Generated<number | null>;
  /** One message of this key by each way to each recipient of an account. */
  dedupe_key: Generated<string | null>;
  /** From then on it is of no use, and not sent. */
  expires_at: Generated<Date | null>;
  state: Generated<OutboxState>;
  tries: Generated<number>;
  next_try_at: Generated<Date | null>;
  sent_at: Generated<Date | null>;
  /** What who took it calls it. */
  provider_id: Generated<string | null>;
  delivered_at: Generated<Date | null>;
  /** SHA-256 of the key by which a browser says that it showed it. */
  shown_key_hash: Generated<Buffer | null>;
  /** Of a mail: the address that ends such mails with one click. */
  unsubscribe: Generated<string>;
  /** What it belongs to: mail programs show mails of one together. */
  thread: Generated<string | null>;
  error: Generated<string>;
}

export interface PushDeviceTable {
  id: Generated<number>;
  uid: string;
  account_id: number;
  device_uid: string;
  endpoint: string;
  expires_at: Date | null;
  p256dh: string;
  auth: string;
  address: string;
  user_agent: string;
  created_at: Time;
}

export type ShareState = 'pending' | 'accepted' | 'rejected';

/** Of one farm, or of everything an owner has; from the invitation to its end. */
export interface ShareTable {
  id: Generated<number>;
  uid: string;
  owner_id: number;
  /** Null: the whole account, with farms that come later. */
  farm_id: number | null;
  /** Who accepted it. */
  agent_id: number | null;
  /** Where the invitation went, in small letters. */
  email: string;
  contact: Json<ShareContactColumns>;
  state: ShareState;
  template: number;
  /** As the release that wrote them knew rights: read by `toPermissions`. */
  permissions: ColumnType<unknown, string, string>;
  ends_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** When its end by itself was logged and told. */
  ended_at: Generated<Date | null>;
  /** Of the mailed key; it stays when the key was used. */
  key_hash: Generated<Buffer | null>;
  sent_at: Time;
  created_at: Time;
  answered_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  last_used_at: Generated<Date | null>;
}

/** What the owner entered of the person. */
export interface ShareContactColumns {
  name?: string;
  mobile?: string;
  countryCode?: number | null;
  newsletter?: boolean;
  notes?: string;
}

export interface AccessLogTable {
  id: Generated<string>;
  owner_id: number;
  farm_id: number | null;
  farm_name: string;
  actor_id: number | null;
  at: Time;
  what: AccessEvent['what'];
  by_name: string;
  whom: string;
  note: string;
  detail: Json<Record<string, unknown>>;
}

/** Full rights of a staff member on one farm, for a while. */
export interface SupportSessionTable {
  id: Generated<number>;
  account_id: number;
  farm_id: number;
  reason: string;
  opened_at: Time;
  ends_at: Time;
  closed_at: Generated<Date | null>;
}

/** Accounts, what is sent to people, and who may see what. */
export interface AccountTables {
  account: AccountTable;
  session: SessionTable;
  known_device: {
    account_id: number;
    device_uid: string;
    last_sign_in_at: Time;
    /** Of the key that saves this browser the second step. */
    remember_hash: Generated<Buffer | null>;
    remembered_until: Generated<Date | null>;
  };
  authenticator: AuthenticatorTable;
  recovery_code: { account_id: number; code_hash: Buffer; used_at: Generated<Date | null> };
  passkey: PasskeyTable;
  sign_in_ticket: SignInTicketTable;
  /** `device`: a known browser or `SIGNED_IN`; null: a stranger's. */
  sign_in_failure: { id: Generated<string>; at: Time; email: string; address: string; device: string | null };
  account_key: AccountKeyTable;
  account_settings: {
    account_id: number;
    data: ColumnType<Record<string, unknown>, string, string>;
    version: number;
    updated_at: CreatedAt;
  };
  idempotency: {
    account_id: number;
    key_hash: Buffer;
    call_id: string;
    fingerprint: Buffer;
    at: Time;
    reply: Buffer | null;
  };
  files_made: {
    account_id: number;
    /** UTC, `2026-11-22`. */
    day: string;
    files: number;
  };
  notification: {
    account_id: number;
    id: Generated<string>;
    uid: string;
    at: Time;
    title: string;
    message: string;
    link: Generated<string>;
    is_read: Generated<boolean>;
    /** One entry of this key in the account's bell. */
    dedupe_key: Generated<string | null>;
  };
  push_device: PushDeviceTable;
  outbox: OutboxTable;
  /** What somebody wrote back, by what its provider calls it: each is taken once. */
  sms_reply: { provider: string; id: string; at: Time; outbox_id: string | null };
  share: ShareTable;
  access_log: AccessLogTable;
  support_session: SupportSessionTable;
  page_view: {
    id: Generated<string>;
    at: CreatedAt;
    account_id: number | null;
    device_uid: string;
    key: string;
  };
  /** What the operator has set for everyone, and keys that the server made for itself. */
  installation: { name: string; value: Json<unknown>; updated_at: Time };
  /** What the operator did by command. */
  audit: {
    id: Generated<string>;
    at: Time;
    operator: string;
    command: string;
    arguments: string;
    outcome: string;
    /** By a server, into its log. */
    logged_at: Generated<Date | null>;
  };
  /** A backup of the whole server, or a trial to restore one. */
  backup_run: {
    id: Generated<number>;
    kind: 'backup' | 'drill';
    at: Time;
    is_scheduled: boolean;
    path: string;
    bytes: string | null;
    made_at: Time | null;
    took_ms: number;
    fault: string;
  };
  /** Somebody asked for tank telemetry. */
  tlm_lead: {
    id: Generated<number>;
    uid: string;
    at: Time;
    name: string;
    email: string;
    country_code: number;
    mobile: string;
    farm_name: string;
    tanks: number;
    notes: Generated<string>;
  };
}
