import Type, { type Static } from 'typebox';
import { CLOSE_UNAUTHENTICATED, LIVE_PATH } from './limits.ts';
import { Command } from './commands.ts';
import { FarmPermissions } from './farms.ts';
import { IpcStatus } from './groups.ts';
import { Settings, StoredSettings } from './settings.ts';
import { Notification, NotificationPreferences, Notifications } from './notifications.ts';
import { Time, Uid } from './schemas.ts';

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

const SwappedUnit = Type.Object({ id: Uid, serial: Type.String(), mac: Type.String() });

export const ServerFrame = Type.Union([
  frame('settings', StoredSettings),
  frame('default_settings', Type.Object({ data: Settings, version: Type.Integer() })),
  frame('permissions', Type.Array(FarmPermissions)),
  frame('notifications', Notifications),
  /** `alert`: shown at once for three seconds. */
  frame('new_notification', Type.Object({ ...Notification.properties, alert: Type.Boolean() })),
  frame('app_version', Type.Object({ version: Type.String() })),
  frame('status_update', StatusUpdate),
  /** How a sprinkler is now, as `GET /group/info` has it; for connections that watch its farm. */
  frame('ipc_status_update', IpcStatusUpdate),
  frame(
    'new_action_result',
    Type.Object({ message: Type.String(), type: Type.String(), farmUID: Uid, commandId: Type.String() }),
  ),
  /** How a command stands now, for everyone who may read the farm's commands. */
  frame('command_update', Command),
  frame(
    'ipc_swap_result',
    Type.Object({
      farmUID: Uid,
      success: Type.Boolean(),
      from: SwappedUnit,
      to: SwappedUnit,
      message: Type.String(),
    }),
  ),
  frame('subscription_valid_until', Type.Object({ accountId: Uid, subscriptionValidUntil: Time })),
]);
export type ServerFrame = Static<typeof ServerFrame>;

export const ClientFrame = Type.Union([
  frame('client_id', Type.Object({ clientId: Type.String({ maxLength: 64 }) })),
  /** The farm that is looked at: one at a time, the last one said. */
  frame('watch', Type.Object({ farmUID: Uid })),
  frame('notification_settings', NotificationPreferences),
]);
export type ClientFrame = Static<typeof ClientFrame>;
