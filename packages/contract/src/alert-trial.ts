import Type, { type Static } from 'typebox';
import { AlertChart } from './alert-chart.ts';
import { AlertEntry } from './alerts.ts';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { nullable, Time, Uid } from './schemas.ts';

const tag = 'Alerts';
/** How far back an alert is tried. */
export const TRIAL_DAYS = 30;

const AlertTrial = Type.Object({
  /** False: what its kind tells can't be read from what was stored. */
  isPossible: Type.Boolean(),
  told: Type.Integer({ description: 'how often it would have told people in 30 days' }),
  short: Type.Integer({ description: 'of them, over by themselves within 10 min' }),
  /** The same with longer holds. */
  byHold: Type.Array(Type.Object({ holdMinutes: Type.Integer(), told: Type.Integer() })),
  tried: Type.Integer({ description: 'devices' }),
  of: Type.Integer({ description: 'devices that it would watch' }),
  heard: Type.Integer({
    description: 'of the devices tried, those with a reading that counts in the 30 days',
  }),
  /** The first of these readings; null: there is none. */
  since: nullable(Time),
  /** Of the device of which it would have told most. */
  chart: nullable(AlertChart),
});
export type AlertTrial = Static<typeof AlertTrial>;

export const tryAlert = defineEndpoint({
  key: 'POST /alert/trial',
  tag,
  summary: 'What an alert would have told in the last 30 days, by the readings that are stored',
  needs: needs.hearAlerts,
  target: { farm: { in: 'body', name: 'farmUID' } },
  perMinute: 120,
  body: AlertEntry,
  reply: AlertTrial,
});

const AlertsLately = Type.Object({
  /** Each of the last 30 days by the farm's clock, the oldest first: how often the caller was told. */
  days: Type.Array(Type.Object({ day: Type.String(), told: Type.Integer() })),
  incidents: Type.Integer(),
  short: Type.Integer({ description: 'of them, over by themselves within 10 min' }),
  answered: Type.Integer({ description: 'of them, somebody was on it' }),
  loudest: Type.Array(
    Type.Object({
      alertUID: nullable(Uid),
      name: Type.String(),
      told: Type.Integer(),
      short: Type.Integer(),
    }),
  ),
});
export type AlertsLately = Static<typeof AlertsLately>;

export const alertsLately = defineEndpoint({
  key: 'GET /alert/lately',
  tag,
  summary: 'How much the caller was told of a farm in the last 30 days, and by which alerts most',
  needs: needs.hearAlerts,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: AlertsLately,
});
