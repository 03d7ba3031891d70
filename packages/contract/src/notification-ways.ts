import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { heldBackReasons } from './rules/alerts/held-back.ts';
import { LineText, nullable, oneOf, Time, Uid } from './schemas.ts';

const tag = 'Notifications';
export const alertWays = ['push', 'sms', 'email'] as const;
export type AlertWay = (typeof alertWays)[number];
const Ways = Type.Array(oneOf(alertWays), { maxItems: 3, uniqueItems: true });

/** Beside the bell, of the ways that a person has on. */
export const AlertWays = Type.Object({ urgent: Ways, important: Ways, info: Ways });
export type AlertWays = Static<typeof AlertWays>;

/** As usual, until people choose. */
export const usualWays: AlertWays = {
  urgent: ['push', 'sms', 'email'],
  important: ['push', 'email'],
  info: [],
};

const Clock = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'HH:mm' });
const NotificationTimes = Type.Object({
  quiet: nullable(
    Type.Object({
      from: Clock,
      to: Clock,
      zone: LineText({ minLength: 1, maxLength: 60, description: 'whose wall clock: Pacific/Auckland' }),
    }),
  ),
  ways: AlertWays,
  escalations: Type.Optional(
    Type.Boolean({
      description:
        'whether one is told where others did not answer, by alerts that name one for it; true at first',
    }),
  ),
  digest: Type.Optional(
    Type.Boolean({
      description: 'at 06:30 by the farm’s clock what was in 24 hours, by e-mail, else as an instant message',
    }),
  ),
});
export type NotificationTimes = Static<typeof NotificationTimes>;

export const getNotificationWays = defineEndpoint({
  key: 'GET /notification/ways',
  tag,
  summary: 'By which ways the account hears of alerts, by how urgent they are, and when it is quiet',
  needs: needs.login,
  reply: NotificationTimes,
});

export const setNotificationWays = defineEndpoint({
  key: 'PUT /notification/ways',
  tag,
  summary:
    'Change them. What is urgent passes quiet hours; the rest is in the bell, and told when they end if it is still so and nobody has answered',
  needs: needs.login,
  body: NotificationTimes,
  reply: NotificationTimes,
});

/** Of one person in so many days, the newest. */
export const HELD_BACK_LISTED = 50;
export const HELD_BACK_DAYS = 30;

const HeldBack = Type.Object({
  at: Time,
  farmUID: Uid,
  farmName: Type.String(),
  /** Of `GET /alert/incident`. */
  incidentUID: Uid,
  text: Type.String({ description: 'as it is in the bell' }),
  why: oneOf(heldBackReasons),
  until: nullable({ ...Time, description: 'when it goes if it is still so; null: it waits for nothing' }),
});
export type HeldBack = Static<typeof HeldBack>;

export const listHeldBack = defineEndpoint({
  key: 'GET /notification/held-back',
  tag,
  summary: `What the account was told in the bell alone, though it wants it by other ways, and why; the newest ${HELD_BACK_LISTED} of ${HELD_BACK_DAYS} days`,
  needs: needs.login,
  reply: Type.Object({ heldBack: Type.Array(HeldBack), more: Type.Boolean() }),
});
