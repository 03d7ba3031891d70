import Type, { type Static } from 'typebox';
import { CLOSE_UNAUTHENTICATED, LIVE_PATH } from './limits.ts';
import { Command } from './commands.ts';
import { Epoch } from './devices.ts';
import { FarmPermissions } from './farms.ts';
import { IpcStatus, SprinklerCounts } from './groups.ts';
import { UnitRow } from './map-units.ts';
import { Settings, StoredSettings } from './settings.ts';
import { Notification, NotificationPreferences, Notifications } from './notifications.ts';
import { nullable, Time, Uid } from './schemas.ts';

export { CLOSE_UNAUTHENTICATED, LIVE_PATH };

const frame = <T extends string, D extends Type.TSchema>(type: T, data: D) =>
  Type.Object({ type: Type.Literal(type), data });

/** A device's latest facts changed. `updatedAt` lets a card that already shows them do nothing. */
export const StatusUpdate = Type.Object({
  type: Type.Union([
    Type.Literal('tank_level'),
    Type.Literal('repeater'),
    Type.Literal('gateway'),
    Type.Literal('io'),
    Type.Literal('flow'),
    Type.Literal('soil_moisture'),
    Type.Literal('ipc'),
  ]),
  farmUID: Uid,
  uid: Uid,
  serialNumber: Type.String(),
  updatedAt: Time,
});
export type StatusUpdate = Static<typeof StatusUpdate>;

export const IpcStatusUpdate = Type.Object({ farmUID: Uid, ipc: IpcStatus });
export type IpcStatusUpdate = Static<typeof IpcStatusUpdate>;

/** So many units of a farm at most are told one by one; more come together. */
export const UNITS_ALONE = 20;
/** Units in one `ipc_status_batch`, about 350 bytes each. */
export const UNITS_IN_BATCH = 100;

export const IpcStatusBatch = Type.Object({
  farmUID: Uid,
  at: Time,
  units: Type.Array(UnitRow, { maxItems: UNITS_IN_BATCH }),
});
export type IpcStatusBatch = Static<typeof IpcStatusBatch>;

/** From now on these units are wanted to water nothing, since that time; null: nobody wants that any more. */
export const IpcStops = Type.Object({
  farmUID: Uid,
  since: nullable(Epoch),
  units: Type.Array(Uid),
});
export type IpcStops = Static<typeof IpcStops>;

/** As GET /ipc/status has them. */
export const IpcCounts = Type.Object({ farmUID: Uid, at: Time, counts: SprinklerCounts });
export type IpcCounts = Static<typeof IpcCounts>;

export const recordKinds = [
  'farm',
  'group',
  'sprinkler',
  'gateway',
  'repeater',
  'sensor',
  'poi',
  'schedule template',
  'schedule set',
  'alert',
] as const;
export type RecordKind = (typeof recordKinds)[number];

/** What people enter about a farm changed: records of these kinds were added, changed or deleted, or are in other groups. */
export const RecordsUpdate = Type.Object({
  farmUID: Uid,
  kinds: Type.Array(Type.Unsafe<RecordKind>({ enum: [...recordKinds] })),
});
export type RecordsUpdate = Static<typeof RecordsUpdate>;

const SwappedUnit = Type.Object({ id: Uid, serial: Type.String(), mac: Type.String() });
/** Of a Replace that failed the farm may not have it. */
const NewcomerUnit = Type.Object({ ...SwappedUnit.properties, id: Type.Union([Uid, Type.Literal('')]) });

export const ServerFrame = Type.Union([
  frame('settings', StoredSettings),
  frame('default_settings', Type.Object({ data: Settings, version: Type.Integer() })),
  frame('permissions', Type.Array(FarmPermissions)),
  frame('notifications', Notifications),
  /** `alert`: shown at once for three seconds. */
  frame('new_notification', Type.Object({ ...Notification.properties, alert: Type.Boolean() })),
  frame('app_version', Type.Object({ version: Type.String() })),
  frame('status_update', StatusUpdate),
  /** How a sprinkler is now, as `GET /group/info` has it; for connections that watch its farm's sprinklers. */
  frame('ipc_status_update', IpcStatusUpdate),
  /** The same of many that said something at once, in short: as GET /group/units has them. */
  frame('ipc_status_batch', IpcStatusBatch),
  /** Somebody inhibited units, or lets them water again: `stopWanted` of them, as soon as it was asked; for the same connections. */
  frame('ipc_stops', IpcStops),
  /** How many are how; for connections that watch the farm without its sprinklers: when it changed, and by the minute. */
  frame('ipc_counts', IpcCounts),
  /** For connections that watch the farm, but for the page that did it: see `client_id`. */
  frame('records_update', RecordsUpdate),
  frame(
    'new_action_result',
    Type.Object({ message: Type.String(), type: Type.String(), farmUID: Uid, commandId: Type.String() }),
  ),
  /** How a command stands now, for everyone who may read the farm's commands. */
  frame('command_update', Command),
  /** The account has seen how a command ended, on whichever page. */
  frame('command_seen', Type.Object({ farmUID: Uid, commandId: Uid })),
  frame(
    'ipc_swap_result',
    Type.Object({
      farmUID: Uid,
      success: Type.Boolean(),
      from: SwappedUnit,
      to: NewcomerUnit,
      message: Type.String(),
    }),
  ),
  frame('subscription_valid_until', Type.Object({ accountId: Uid, subscriptionValidUntil: Time })),
  /** To `ping`, at once. */
  frame('pong', Type.Object({})),
]);
export type ServerFrame = Static<typeof ServerFrame>;

/** The farm that is looked at: one at a time, the last one said. */
export const Watch = Type.Object({
  farmUID: Uid,
  /** Whether its sprinklers are shown, so that `ipc_status_update` is of use; who doesn't say gets it. False: `ipc_counts` instead. */
  sprinklers: Type.Optional(Type.Boolean()),
});
export type Watch = Static<typeof Watch>;

export const ClientFrame = Type.Union([
  /** `clientId` is the page's own: it sends it as CLIENT_ID_HEADER with its calls too. */
  frame('client_id', Type.Object({ clientId: Type.String({ maxLength: 64 }) })),
  frame('watch', Watch),
  frame('notification_settings', NotificationPreferences),
  /** Whether the connection still carries anything: a network can swallow it without a word. */
  frame('ping', Type.Object({})),
]);
export type ClientFrame = Static<typeof ClientFrame>;
