import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { alertClasses, alertKinds, watchedDevices } from './rules/alerts/alert-kinds.ts';
import { snoozeTimes } from './rules/alerts/snooze-times.ts';
import { AlertChart } from './alert-chart.ts';
import { LatLng, LineText, nullable, oneOf, Success, Time, Uid } from './schemas.ts';

const tag = 'Alerts';
/** Of one farm. */
export const ALERTS_PER_FARM = 500;
export const ALERT_NAME_MAX = 80;
const DEVICES_MAX = 5000;
const PEOPLE_MAX = 50;
const HOLD_MAX_MIN = 7 * 1440;

const alertBody = {
  name: LineText({ minLength: 1, maxLength: ALERT_NAME_MAX }),
  enabled: Type.Boolean(),
  kind: oneOf(alertKinds),
  deviceIds: Type.Array(Uid, {
    maxItems: DEVICES_MAX,
    description: 'empty: all of that kind, also those that come later',
  }),
  condition: oneOf([
    'below',
    'above',
    'longer than',
    'within',
    'none',
    'on',
    'off',
    'either',
    'any',
    'clock',
    'battery',
    'schedule',
  ]),
  value: nullable(Type.Number({ description: '%, kPa, min, days, L/min, °C or mm, by kind' })),
  holdMinutes: Type.Integer({
    minimum: 0,
    maximum: HOLD_MAX_MIN,
    description: 'how long it must be so first',
  }),
};
const more = {
  clearValue: nullable(Type.Number({ description: 'where it is over; null: as usual for its kind' })),
  class: nullable({ ...oneOf(alertClasses), description: 'null: as usual for its kind' }),
  watch: nullable({
    ...oneOf(watchedDevices),
    description: 'which of the kinds of device that it can watch; null: all',
  }),
  inputs: Type.Array(Type.Integer({ minimum: 1, maximum: 6 }), { maxItems: 6, description: 'of gateways' }),
  people: Type.Array(Uid, {
    maxItems: PEOPLE_MAX,
    description: 'who is told first; empty: everybody who is told of the farm',
  }),
  /** Who is told besides if nobody answers. */
  escalation: nullable(
    Type.Object({
      afterMinutes: Type.Integer({ minimum: 1, maximum: 1440 }),
      people: Type.Array(Uid, { maxItems: PEOPLE_MAX, description: 'empty: everybody' }),
    }),
  ),
};
const optional = {
  clearValue: Type.Optional(more.clearValue),
  class: Type.Optional(more.class),
  watch: Type.Optional(more.watch),
  inputs: Type.Optional(more.inputs),
  people: Type.Optional(more.people),
  escalation: Type.Optional(more.escalation),
};

const PausedUntil = Type.Object({ until: Time, by: nullable(Type.String()) });

export const Alert = Type.Object({
  _id: Uid,
  farmUID: Uid,
  ...alertBody,
  ...more,
  /** Devices that it watches now; 0: nothing. */
  watches: Type.Integer({ minimum: 0 }),
  lastNotifiedAt: nullable(Time),
  /** Until then what it finds is in the bell alone. */
  paused: nullable(PausedUntil),
  version: Type.Integer(),
  createdAt: Time,
  updatedAt: Time,
});
export type Alert = Static<typeof Alert>;

export const AlertEntry = Type.Object({ farmUID: Uid, ...alertBody, ...optional });
export type AlertEntry = Static<typeof AlertEntry>;

export const listAlerts = defineEndpoint({
  key: 'GET /alerts',
  tag,
  summary: 'What the people of a farm want to be told',
  needs: needs.hearAlerts,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({
    alerts: Type.Array(Alert),
    paused: nullable(PausedUntil),
    pausedDevices: Type.Array(Type.Object({ uid: Uid, name: Type.String(), ...PausedUntil.properties }), {
      description: 'each by itself, by name',
    }),
    inBellAlone: Type.Boolean({
      description: 'nobody who is told of the farm takes e-mail, instant messages or SMS',
    }),
  }),
});

export const listWatchable = defineEndpoint({
  key: 'GET /alert/devices',
  tag,
  summary: 'The devices of a farm that alerts can watch',
  needs: needs.hearAlerts,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({
    devices: Type.Array(
      Type.Object({ uid: Uid, name: Type.String(), kind: Type.String(), type: Type.Integer() }),
    ),
  }),
});

export const listAlertPeople = defineEndpoint({
  key: 'GET /alert/people',
  tag,
  summary: 'Who is told of the alerts of a farm',
  needs: needs.hearAlerts,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Object({
    people: Type.Array(
      Type.Object({
        uid: Uid,
        name: Type.String(),
        takesEscalations: Type.Boolean({ description: 'false: they are not told where nobody answers' }),
      }),
    ),
  }),
});

export const getAlert = defineEndpoint({
  key: 'GET /alert',
  tag,
  summary: 'One alert',
  needs: needs.hearAlerts,
  target: { alert: { in: 'query', name: 'alertUID' } },
  query: Type.Object({ alertUID: Uid }),
  reply: Alert,
});

export const createAlert = defineEndpoint({
  key: 'POST /alert',
  once: true,
  tag,
  summary: `Add an alert; a farm has at most ${ALERTS_PER_FARM}`,
  needs: needs.hearAlerts,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: AlertEntry,
  reply: Type.Object({ id: Uid }),
});

export const updateAlert = defineEndpoint({
  key: 'PUT /alert',
  tag,
  summary:
    'Change an alert. What it told and is still so ends, and is told anew if it is so by what the alert says now',
  needs: needs.hearAlerts,
  target: { alert: { in: 'body', name: '_id' } },
  body: Type.Object({ _id: Uid, version: Type.Optional(Type.Integer()), ...alertBody, ...optional }),
  reply: Alert,
});

export const deleteAlert = defineEndpoint({
  key: 'DELETE /alert',
  tag,
  summary: 'Delete an alert. What it told stays on its timeline',
  needs: needs.hearAlerts,
  target: { alert: { in: 'query', name: 'alertUID' } },
  query: Type.Object({ alertUID: Uid }),
  reply: Success,
});

/** What is or was so, as it is told and answered. */
export const Incident = Type.Object({
  uid: Uid,
  farmUID: Uid,
  /** Null: the alert was deleted. */
  alertUID: nullable(Uid),
  alertName: Type.String(),
  kind: oneOf(alertKinds),
  class: oneOf(alertClasses),
  title: Type.String(),
  message: Type.String({ description: 'what is so, of its devices' }),
  openedAt: Time,
  endedAt: nullable(Time),
  isUnwatched: Type.Boolean({
    description: 'it ended since nobody watches it any more: whether it is so still, nobody knows',
  }),
  seenLateAt: nullable({
    ...Time,
    description: 'when readings that came late showed that it began and ended; null: it was told',
  }),
  answeredBy: nullable(Type.String({ description: "a person's name" })),
  answeredAt: nullable(Time),
  /** Until then nobody is told that it goes on. */
  snoozedUntil: nullable(Time),
  /** Null: nobody snoozed it, or it is paused for longer. */
  snoozedBy: nullable(Type.String({ description: "a person's name" })),
  devices: Type.Array(
    Type.Object({
      uid: Uid,
      name: Type.String(),
      since: Time,
      endedAt: nullable(Time),
      sentence: Type.String(),
    }),
    { description: 'at most 200; those of which it is so first' },
  ),
  watering: Type.Optional(
    Type.Object(
      { endAt: Time, sprinklers: Type.Integer({ description: 'of those groups, each counted once' }) },
      { description: 'of groups that missed a watering: which one, by when the last of it was to end' },
    ),
  ),
  count: Type.Integer({ description: 'devices, all in all; of `GET /alerts/open` those of which it is so' }),
  version: Type.Integer(),
});
export type Incident = Static<typeof Incident>;

/** At most so many of a farm at once. */
export const OPEN_LISTED = 200;

export const listIncidents = defineEndpoint({
  key: 'GET /alert/incidents',
  tag,
  summary:
    'What is so now, the worst first, and what was, the newest first; a page of each. With `state` of that alone, and with `before` what comes after the one that was last read of it',
  needs: needs.hearAlerts,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({
    farmUID: Uid,
    state: Type.Optional(oneOf(['open', 'ended'])),
    before: Type.Optional({ ...Uid, description: 'the `uid` of the last one that was read; with `state`' }),
  }),
  reply: Type.Object({
    open: Type.Array(Incident, { description: `at most ${OPEN_LISTED}` }),
    ended: Type.Array(Incident, { description: 'at most 50' }),
    more: Type.Object(
      { open: Type.Boolean(), ended: Type.Boolean() },
      { description: 'whether there are more than these pages have' },
    ),
    count: Type.Object(
      { open: Type.Integer(), ended: Type.Integer({ description: 'that ended in the last 30 days' }) },
      { description: 'all that there are, whatever the pages have' },
    ),
    outages: Type.Array(Type.Object({ from: Time, to: Time, sentence: Type.String() }), {
      description: 'when Headrace itself listened to no device, of the last 7 days, the newest first',
    }),
  }),
});

export const listOpenIncidents = defineEndpoint({
  key: 'GET /alerts/open',
  tag,
  summary: `What is so now on all farms of whose alerts the caller is told, the worst first; at most ${OPEN_LISTED} of each farm`,
  needs: needs.login,
  query: Type.Object({
    /** What is so of it alone. */
    deviceUID: Type.Optional(Uid),
  }),
  reply: Type.Object({
    open: Type.Array(Incident),
    cut: Type.Array(Uid, { description: 'farms of which more is so than is listed' }),
    inBellAlone: Type.Array(Uid, {
      description: 'farms of which nobody takes e-mail, instant messages or SMS; with `deviceUID` none',
    }),
  }),
});

const IncidentStep = Type.Object({
  at: Time,
  what: Type.String(),
  by: nullable(Type.String()),
  note: Type.String(),
  /** Who was told, and how far that got by each way beside the bell. */
  told: Type.Array(
    Type.Object({
      name: Type.String(),
      messages: Type.Array(Type.Object({ way: Type.String(), state: Type.String(), reason: Type.String() })),
    }),
  ),
});
export type IncidentStep = Static<typeof IncidentStep>;

const IncidentDetails = Type.Object({
  ...Incident.properties,
  steps: Type.Array(IncidentStep),
  map: nullable(
    Type.Object({
      boundary: Type.Array(LatLng),
      places: Type.Array(LatLng, { description: 'of the devices that are listed and have one' }),
    }),
  ),
  chart: nullable(Type.Object({ ...AlertChart.properties, from: Time, to: Time })),
  valves: Type.Array(
    Type.Object({
      uid: Uid,
      name: Type.String(),
      mac: Type.String(),
      serialNumber: Type.String(),
    }),
    { description: 'that are open still, as `POST /commands/send` wants them; at most 20' },
  ),
});
export type IncidentDetails = Static<typeof IncidentDetails>;

export const getIncident = defineEndpoint({
  key: 'GET /alert/incident',
  tag,
  summary: 'What is or was so, with its timeline: who was told when, by which way, and how far that got',
  needs: needs.hearAlerts,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, uid: Uid }),
  reply: IncidentDetails,
});

/** A page may be an hour old: nobody is on what they have not seen. */
const seenClass = Type.Optional({
  ...oneOf(alertClasses),
  description:
    'its `class` as the caller has seen it; 409 without it, as from a page that is older than the server',
});

export const answerIncident = defineEndpoint({
  key: 'POST /alert/answer',
  tag,
  summary:
    "I'm on it: everybody who was told hears who is. What is over stays over; of two who answer the second hears who was first. 409 where it got worse than the caller has seen",
  needs: needs.hearAlerts,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, uid: Uid, version: Type.Integer(), class: seenClass }),
  reply: Type.Object({
    state: oneOf(['answered', 'ended']),
    text: Type.String(),
    incident: Incident,
  }),
});

export const snoozeIncident = defineEndpoint({
  key: 'POST /alert/snooze',
  tag,
  summary:
    'Nobody is told that it goes on for an hour, until 06:00, or until 18:00 of the next day, by the farm’s clock. That it got worse, or is over, is told; 409 where it got worse than the caller has seen',
  needs: needs.hearAlerts,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({ farmUID: Uid, uid: Uid, until: oneOf(snoozeTimes), class: seenClass }),
  reply: Type.Object({
    state: oneOf(['snoozed', 'ended']),
    text: Type.String(),
    incident: Incident,
  }),
});
