import type { ColumnType, Generated } from 'kysely';
import type { CommandState, UnitState } from '@headrace/contract/command-types';
import type { SetFigures } from '@headrace/contract/schedule-sets';
import type { ScheduleFinding } from '@headrace/contract/schedules';
import type { TemplateDesign } from '@headrace/contract/schedule-templates';
import type { WateringSource } from '@headrace/contract/rules/watering-runs';
import type { WaterMain } from '@headrace/contract/schedule-templates';
import type { SupplyTime } from '@headrace/contract/supply';
import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { CreatedAt, Json, Time } from './column-types.ts';

export interface CommandTable {
  farm_id: number;
  id: Generated<number>;
  uid: string;
  account_id: number | null;
  type: number;
  name: string;
  serial_number: string;
  payload: ColumnType<Record<string, unknown>, string, string>;
  max_open_minutes: number | null;
  hide_notification: boolean;
  result_message: string | null;
  created_at: Time;
  expires_at: Time;
  state: CommandState;
  state_at: Time;
  progress_done: Generated<number | null>;
  progress_total: Generated<number | null>;
  /** Of what lets water run: when it must have begun, by the database's clock. */
  open_by: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Named by who sent it, so that a tap that is sent twice is one command. */
  request_id: Generated<string | null>;
  /** By gateway. */
  finish: Json<Record<string, unknown>>;
  first_finish: ColumnType<Record<string, unknown> | null, string | null | undefined, string | null>;
  /** Of a send to the whole farm: the set that it watered by before. */
  replaced_set_id: Generated<number | null>;
  /** Who last took back what waited of it. */
  cancelled_by_id: Generated<number | null>;
  /** Of an Inhibit: when a person undid it. */
  undone_at: ColumnType<Date | null, never, Date>;
}

export interface CommandUnitTable {
  farm_id: number;
  command_id: number;
  /** The unit, or the gateway itself. */
  device_id: number;
  gateway_id: number;
  position: number;
  state: UnitState;
  at: Time;
  /** What the gateway answers with, once it was sent. */
  cmd_id: Generated<string | null>;
  /** Of the unit when it was sent. */
  mac: ColumnType<string | null, never, string>;
  entries: ColumnType<ScheduleEntry[] | null, string | null | undefined, string | null>;
  crc: Generated<string | null>;
  note: Generated<string>;
  opened_at: ColumnType<Date | null, never, Date>;
  closes_by: ColumnType<Date | null, never, Date>;
  closed_at: ColumnType<Date | null, never, Date>;
  closed_why: ColumnType<string | null, never, string>;
  lane: number;
  /** Number of the message that it went out with first. */
  seq: Generated<string | null>;
  /** Null: when the command does. */
  expires_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  again_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Which of its command's messages it went out with last, from 1; 0: it never went out, to no gateway. */
  sending: Generated<number>;
  /** Of a skipped unit: it was left out, since it must not water… */
  held_back: Generated<boolean>;
  /** …or since it had not been heard for long. */
  is_unheard: Generated<boolean>;
  /** It was spare or out of service when it was sent: that is meant. */
  was_shelved: Generated<boolean>;
}

/** How fast a gateway's units have answered. */
export interface GatewayPaceTable {
  farm_id: number;
  gateway_id: number;
  answers: ColumnType<[number, number][], string | undefined, string>;
}

/** A template as it is kept: with its groups' names as they were. */
export interface KeptDesign extends Required<Omit<TemplateDesign, 'name' | 'groups'>> {
  groups: (TemplateDesign['groups'][number] & { name: string })[];
}

/** Schedules, commands, and when water ran. */
export interface CommandTables {
  /** What people design; sets are computed from it. */
  schedule_template: {
    farm_id: number;
    id: Generated<number>;
    uid: string;
    name: string;
    body: Json<KeptDesign>;
    version: Generated<number>;
    created_by: number | null;
    updated_by: number | null;
    created_at: CreatedAt;
    updated_at: Time;
    deleted_at: ColumnType<Date | null, never, Date | null>;
  };
  /** What a farm's water supply allows. */
  /** What people entered of soil and crop, of a group or ('') of the farm. */
  advice_settings: {
    farm_id: number;
    group_uid: Generated<string>;
    body: Json<object>;
    version: number;
    updated_by: number | null;
    updated_at: Time;
  };
  /** A farm's day (a date), as a forecast said on it and as people entered it; mm. */
  weather_day: {
    farm_id: number;
    day: string;
    et0_mm: number | null;
    rain_mm: number | null;
    source: string | null;
    is_demo: Generated<boolean>;
    noted_at: Date | null;
    entered_et0_mm: number | null;
    entered_rain_mm: number | null;
    entered_by: number | null;
    entered_at: Date | null;
  };
  /** What a group was given on a day, mm, mean of its sprinklers. */
  applied_day: {
    farm_id: number;
    group_uid: string;
    day: string;
    mm: number;
    most_mm: number;
    not_known: number;
    noted_at: Time;
  };
  /** What was advised for a group on a day, and what a person did about it. */
  advice_day: {
    farm_id: number;
    group_uid: string;
    day: string;
    cycles: number | null;
    mm: number | null;
    is_held_back: Generated<boolean>;
    made_at: Date | null;
    note: Generated<string>;
    note_by: number | null;
    note_at: Date | null;
  };
  farm_supply: {
    farm_id: number;
    /** L/s; null: nobody has said. */
    max_lps: number | null;
    windows: Json<SupplyTime[]>;
    avoid: Json<SupplyTime[]>;
    mains: Json<WaterMain[]>;
    notes: string;
    version: number;
    updated_by: number | null;
    updated_at: Time;
  };
  schedule_set: {
    farm_id: number;
    id: Generated<number>;
    uid: string;
    name: string;
    settings: Json<Record<string, unknown>>;
    created_at: CreatedAt;
    template_id: number | null;
    template_version: number | null;
    is_by_hand: Generated<boolean>;
    /** As it was computed; null: not known. */
    design: ColumnType<KeptDesign | null, string | null | undefined, never>;
    figures: ColumnType<SetFigures | null, string | null | undefined, never>;
    findings: ColumnType<ScheduleFinding[], string | undefined, never>;
    created_by: number | null;
    /** The set of the same template that it takes the place of in lists. */
    replaces: number | null;
    /** It can be restored for 30 days. */
    deleted_at: ColumnType<Date | null, never, Date | null>;
  };
  schedule_set_unit: {
    farm_id: number;
    set_id: number;
    device_id: number;
    /** '' in both: of a set from before they were kept. */
    group_uid: Generated<string>;
    /** As it was then. */
    group_name: Generated<string>;
    schedule_group: Generated<string>;
    entries: ColumnType<ScheduleEntry[], string, string>;
  };
  /** What a sprinkler is to water by: what was last sent, or is on its way. */
  unit_program: {
    farm_id: number;
    device_id: number;
    set_id: number | null;
    schedule_group: Generated<string>;
    crc: string;
    /** None: it is to hold nothing. */
    entries: Json<ScheduleEntry[]>;
    cycle_days: number;
    wanted_at: Time;
    /** The send that asked for it; null: none did. */
    command_id: number | null;
    /** The row as it was before that send; null: there was none. */
    before: ColumnType<object | null, string | null | undefined, string | null>;
    /** Until when it gets it by itself once it is heard; null: it does not. */
    catch_up_until: ColumnType<Date | null, Date | null | undefined, Date | null>;
    /** It has to be heard after this. */
    catch_up_from: ColumnType<Date | null, Date | null | undefined, Date | null>;
    catch_up_tries: Generated<number>;
    /** Another unit has taken the place: it need not be heard first. */
    is_new_unit: Generated<boolean>;
    /** Where it was when it was sent. */
    lat: Generated<number | null>;
    lng: Generated<number | null>;
  };
  /** What a sprinkler held from when until when, by its own word or its answer. `until` null: it still does. */
  unit_held: {
    farm_id: number;
    device_id: number;
    since: Time;
    until: ColumnType<Date | null, Date | null | undefined, Date | null>;
    crc: string;
    /** Null: not known what it is; with the checksum of none: whether it is inhibited or holds nothing. */
    entries: ColumnType<ScheduleEntry[] | null, string | null, string | null>;
    cycle_days: number | null;
    how: 'said' | 'answered';
    /** Since when it waters no more by it: it was inhibited. */
    stopped_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  };
  /** Who must not water, from the tap on. */
  unit_stop: {
    farm_id: number;
    device_id: number;
    /** A person's, or that of a paddock hold alone. */
    kind: 'inhibit' | 'hold';
    since: Time;
    command_id: number;
    account_id: number | null;
    /** The command that lets it water again; null: it must not. */
    lifted_by: Generated<number | null>;
  };
  /** Sprinklers that are kept from watering until a time. */
  paddock_hold: {
    farm_id: number;
    id: Generated<number>;
    uid: string;
    /** '': the whole farm. */
    group_uid: string;
    name: string;
    reason: string;
    from_at: Time;
    until_at: Time;
    account_id: number | null;
    command_id: number;
    /** What let its sprinklers water again, the first first. */
    end_command_ids: Generated<number[]>;
    ended_at: ColumnType<Date | null, never, Date>;
    is_missed: Generated<boolean>;
  };
  paddock_hold_unit: { farm_id: number; hold_id: number; device_id: number };
  command: CommandTable;
  command_unit: CommandUnitTable;
  command_step: {
    farm_id: number;
    command_id: number;
    id: Generated<string>;
    at: Time;
    state: string;
    device_id: number | null;
    note: Generated<string>;
  };
  /** Who has seen how a command ended, and when. */
  command_seen: { farm_id: number; account_id: number; command_id: number; at: Time };
  /** When a sprinkler's valve was open, by what was reported and answered. */
  watering_run: {
    farm_id: number;
    device_id: number;
    id: Generated<string>;
    opened_at: Time;
    opened_how: WateringSource;
    /** The newest word that it was open. */
    open_until: Time;
    closed_at: Date | null;
    closed_how: WateringSource | null;
    /** What its sprinkler gave then: L/s, and mm a minute as of a full circle. */
    lps: number;
    mm_per_min: number;
    /** It watered a part of a circle. */
    is_part: boolean;
  };
  gateway_pace: GatewayPaceTable;
  /** What a gateway's radio did on a farm's day (YYYY-MM-DD). */
  radio_day: {
    farm_id: number;
    gateway_id: number;
    day: string;
    answered: number;
    silent: number;
    tried_units: number;
    tries: number;
    busy_s: number;
    busy_units: number;
    hops_units: number;
    hops: number;
  };
  /** How many sprinklers were in contact at the end of a farm's day (YYYY-MM-DD), and of these free of each error. */
  health_day: {
    farm_id: number;
    day: string;
    in_contact: number;
    clock_ok: number;
    battery_ok: number;
    schedule_ok: number;
  };
  /** From which day until before which (YYYY-MM-DD) a sprinkler was of a kind (`historyTypes`). `until` null: it still is. */
  unit_span: {
    farm_id: number;
    kind: number;
    device_id: number;
    since: string;
    until: string | null;
  };
}
