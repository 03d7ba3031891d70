import type { AccountType } from '@headrace/contract/accounts';
import type { Need, Permissions } from '@headrace/contract/permissions';
import type { AccountRow, DeviceRow, FarmRow } from '../db/schema.ts';

/** Who calls: an account through one of its sessions. */
export interface Caller {
  accountId: number;
  uid: string;
  type: AccountType;
  tokenHash: Buffer;
  /** The operator's support staff. */
  isStaff: boolean;
  /** Nothing but a new password is allowed until it is set. */
  mustChangePassword: boolean;
  subscriptionValidUntil: Date;
}

/** What is looked up of a session that somebody calls by. */
export interface SessionAccount
  extends Pick<
    AccountRow,
    'id' | 'uid' | 'type' | 'is_staff' | 'must_change_password' | 'subscription_valid_until'
  > {
  last_used_at: Date;
  expires_at: Date;
  ends_at: Date;
}

/** A farm that the caller may see, with what the caller may do there. */
export interface FarmAccess {
  farmId: number;
  farm: FarmRow;
  permissions: Permissions;
}

/** What an address can name; `sprinkler`: by its serial number. */
export type NamedKind = 'farm' | 'device' | 'serial' | 'sprinkler';
export interface Named {
  readonly kind: NamedKind;
  readonly name: string;
  /** Only where this may be done; elsewhere there is none. */
  readonly need?: Need;
}

/** Who a token stands for, and what a name stands for to them. */
export interface Entered {
  readonly caller: Caller;
  readonly farm: FarmAccess | null;
  readonly device: DeviceRow | null;
}

/**
 * What the access hook asks. A farm or device that is deleted, unknown or somebody else's is null: they answer alike,
 * as if they did not exist.
 */
export interface AccessGate {
  callerOf(token: string, now: Date): Promise<Caller | null>;
  /**
   * Who a token stands for and what a name stands for, in one question; null: nobody. With `still` it is remembered: nothing of it
   * is answered unless that resolves to true, and where it doesn't, it is asked `anew`.
   */
  enter(
    token: string,
    named: Named,
    now: Date,
    anew?: boolean,
  ): Promise<(Entered & { readonly still?: Promise<boolean> }) | null>;
  farmByUid(caller: Caller, uid: string, now: Date): Promise<FarmAccess | null>;
  deviceByUid(
    caller: Caller,
    uid: string,
    now: Date,
  ): Promise<{ farm: FarmAccess; device: DeviceRow } | null>;
  /** Groups are found through their farm; the row itself is the feature's. */
  farmByGroup(caller: Caller, uid: string, now: Date): Promise<FarmAccess | null>;
  farmByBackup(caller: Caller, uid: string, now: Date): Promise<FarmAccess | null>;
  farmByAlert(caller: Caller, uid: string, now: Date): Promise<FarmAccess | null>;
  farmByTemplate(caller: Caller, uid: string, now: Date): Promise<FarmAccess | null>;
  deviceBySerial(
    caller: Caller,
    serial: string,
    now: Date,
  ): Promise<{ farm: FarmAccess; device: DeviceRow } | null>;
}

/** `Authorization: <token>`, with or without "Bearer ". Null when there is none. */
export function tokenOf(header: string | undefined): string | null {
  const token = header?.replace(/^Bearer\s+/i, '').trim();
  return token || null;
}
