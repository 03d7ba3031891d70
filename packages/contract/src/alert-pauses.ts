import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { pauseTimes } from './rules/alerts/snooze-times.ts';
import { nullable, oneOf, Success, Time, Uid } from './schemas.ts';

const tag = 'Alerts';
const alertUID = nullable({ ...Uid, description: 'null: all of the farm' });

const deviceUID = { ...Uid, description: 'what all alerts find of this device; not with an alert' };

const Pause = Type.Object({ until: Time, text: Type.String() });
export type Pause = Static<typeof Pause>;

export const pauseAlerts = defineEndpoint({
  key: 'POST /alert/pause',
  tag,
  summary:
    'Until then what an alert, a device, or all of a farm has to tell is in the bell alone; what is still so then is told. The others hear who paused it',
  needs: needs.hearAlerts,
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    alertUID,
    deviceUID: Type.Optional(deviceUID),
    until: oneOf(pauseTimes),
  }),
  reply: Pause,
});

export const resumeAlerts = defineEndpoint({
  key: 'DELETE /alert/pause',
  tag,
  summary: 'End a pause',
  needs: needs.hearAlerts,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid, alertUID: Type.Optional(Uid), deviceUID: Type.Optional(deviceUID) }),
  reply: Success,
});
