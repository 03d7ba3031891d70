import type { ColumnType, Generated } from 'kysely';
import type { AlertWays } from '@headrace/contract/notification-ways';
import type { AlertClass, AlertKind, WatchedDevice } from '@headrace/contract/rules/alerts/alert-kinds';
import type { HeldBackReason } from '@headrace/contract/rules/alerts/held-back';
import type { AlertFacts } from '@headrace/contract/rules/alerts/alert-texts';
import type { Json, Time } from './column-types.ts';

export interface NotifiedOfFlood {
  /** Epoch ms. */
  readonly at: number;
  /** Of incidents. */
  readonly ids: readonly string[];
}

/** What people want to be told of a farm, what became so, and who was told. */
export interface AlertTables {
  alert_rule: {
    farm_id: number;
    id: Generated<number>;
    uid: string;
    name: string;
    kind: AlertKind;
    enabled: boolean;
    /** Empty: all that there are, of the kind in `watch` or of all kinds that it can watch. */
    device_ids: number[];
    watch: WatchedDevice | null;
    /** Of gateways: which of their inputs. */
    inputs: number[];
    condition: string;
    value: number | null;
    clear_value: number | null;
    hold_min: number;
    /** Null: its kind's. */
    class: AlertClass | null;
    /** Who is told first; empty: everybody who is told of the farm. */
    people: Generated<number[]>;
    /** Who is told besides if nobody answers for so long; null: nobody. */
    escalate_min: Generated<number | null>;
    escalate_people: Generated<number[]>;
    /** Since when it has watched, whatever was changed of it. */
    on_since: Time;
    version: Generated<number>;
    created_by: number | null;
    created_at: Time;
    updated_at: Time;
  };
  /** Episodes that are told and answered as one. */
  alert_incident: {
    farm_id: number;
    id: Generated<string>;
    uid: string;
    rule_id: number | null;
    rule_name: string;
    kind: AlertKind;
    class: AlertClass;
    opened_at: Time;
    ended_at: Time | null;
    answered_by: number | null;
    answered_at: Time | null;
    version: Generated<number>;
    /** When readings that came late showed that it began and ended: nobody was told. Null: it was told. */
    seen_late_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    /** How often it was told again, and when it is the next time; null: not any more. */
    repeated: Generated<number>;
    next_step_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    /** Until then nobody is told that it goes on, as somebody wants it. What pauses do stands with them alone. */
    snoozed_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
    snoozed_by: Generated<number | null>;
    /** When more people are told if nobody answers, and when they were. */
    escalate_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    escalated_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  };
  /** One alert on one device, or a part of one, from true to false. */
  alert_episode: {
    farm_id: number;
    id: Generated<string>;
    rule_id: number;
    device_id: number;
    /** Which of a device's inputs or errors; 0: the device. */
    part: number;
    /** Null while it is pending. */
    incident_id: string | null;
    state: 'pending' | 'firing' | 'answered' | 'clearing' | 'ended';
    class: AlertClass;
    since: Time;
    fired_at: Time | null;
    answered_at: Time | null;
    clear_since: Time | null;
    ended_at: Time | null;
    value: number | null;
    peak: number | null;
    came_back: number;
    facts: Json<AlertFacts>;
    due_at: Time | null;
    /** Since when another unit stands in its device's place; null: none does. */
    other_unit_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  };
  /** The last change of an input that an alert watches: what it is compared with after a restart. */
  alert_input: {
    farm_id: number;
    rule_id: number;
    device_id: number;
    part: number;
    at: Time;
    is_on: boolean;
  };
  /** The timeline of an incident. */
  alert_step: {
    farm_id: number;
    id: Generated<string>;
    incident_id: string;
    at: Time;
    what: string;
    by_account: number | null;
    note: string;
  };
  /** A farm of which too much began at once: it is told as one until that is over. */
  alert_flood: {
    farm_id: number;
    since: Time;
    /** Kept for those who are still to be told. */
    is_over: Generated<boolean>;
    /** Accounts that have it in the bell alone, for a pause or their night. */
    held_for: Generated<number[]>;
    /** What began from then on, and is still so, is told them. */
    held_since: ColumnType<Date | null, Date | null | undefined, Date | null>;
    /** By account: what of it they were told since, and when last. */
    told: ColumnType<Readonly<Record<string, NotifiedOfFlood>>, string | undefined, string>;
  };
  /** Who was told of a step. */
  alert_notice: {
    farm_id: number;
    step_id: string;
    account_id: number;
    /** It is quiet there: what it is then goes by other ways than the bell. */
    held_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
    /** Why it did not go by a way that its person wants; null: it went by all of them. */
    held_back: Generated<HeldBackReason | null>;
  };
  /** Until then nobody is told what begins, or goes on, of an alert, of a device, or (0 and 0) of the farm. */
  alert_pause: {
    farm_id: number;
    rule_id: number;
    device_id: Generated<number>;
    until: Time;
    by_account: number | null;
    at: Time;
  };
  /** On which day by its clock the people of a farm were last told what was in 24 hours. */
  alert_digest: {
    farm_id: number;
    told_on: ColumnType<string, string, string>;
    /** When the first of those has woken for whom it waits; null: everybody has it. */
    held_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
  };
  /** With it one person answers one incident, from a message. */
  answer_key: {
    farm_id: number;
    key_hash: Buffer;
    incident_id: string;
    account_id: number;
    /** How urgent it was as its message told it; null: nobody kept that. */
    class: AlertClass | null;
    expires_at: Time;
  };
  /** When and by which ways a person wants to hear of alerts. */
  alert_preference: {
    account_id: number;
    quiet_from: number | null;
    quiet_to: number | null;
    quiet_zone: string | null;
    ways: ColumnType<AlertWays | null, string | null, string | null>;
    /** Told in the morning what was in 24 hours. */
    digest: Generated<boolean>;
    /** Told where others did not answer. */
    escalations: Generated<boolean>;
    updated_at: Time;
  };
}
