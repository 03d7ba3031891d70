import Type from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { MacAddress, SerialNumber } from './devices.ts';
import { needs } from './permissions.ts';
import { Success, Uid } from './schemas.ts';

const tag = 'MAC registry';
const Serial = Type.String({ minLength: 1, maxLength: 40 });
/** Serial numbers can be guessed: as many calls a minute from one address as a person types. */
const perMinute = 60;

/** Where a serial number is in use. Name and farm are empty when that farm isn't one the caller may read. */
const use = {
  mac: Type.String({ description: 'empty when not found' }),
  currentlyActive: Type.Boolean(),
  isSpare: Type.Boolean(),
  name: Type.String(),
  farmName: Type.String(),
  farmUID: Type.Union([Uid, Type.Literal('')]),
};
const radio = { channel: Type.Integer(), spfactor: Type.Integer() };

export const macOfIpc = defineEndpoint({
  key: 'GET /mac',
  tag,
  summary:
    'The MAC of a sprinkler or repeater by its serial number, from 4 characters; with type=exclude-spares also where it is in use',
  needs: needs.login,
  perMinute,
  query: Type.Object({ serialNumber: Serial, type: Type.Optional(Type.String({ maxLength: 40 })) }),
  reply: Type.Union([Type.Object(use), Type.Object({ mac: Type.String() })]),
});

export const macOfGateway = defineEndpoint({
  key: 'GET /macgateway',
  tag,
  summary: 'The MAC of a gateway by its serial number, from 3 characters, and where it is in use',
  needs: needs.login,
  perMinute,
  query: Type.Object({ serialNumber: Serial, type: Type.Optional(Type.String({ maxLength: 40 })) }),
  reply: Type.Object({ ...use, ...radio }),
});

export const macOfSensor = defineEndpoint({
  key: 'GET /macsensor',
  tag,
  summary: 'The MAC of a sensor by its serial number, from 3 characters, and where it is in use',
  needs: needs.login,
  perMinute,
  query: Type.Object({ serialNumber: Serial, type: Type.Optional(Type.String({ maxLength: 40 })) }),
  reply: Type.Object({ ...use, ...radio }),
});

export const macTest = defineEndpoint({
  key: 'GET /mac-test',
  tag,
  summary: 'What a whole serial number belongs to: no farm, no names',
  needs: needs.nothing,
  perMinute,
  query: Type.Object({ serialNumber: Serial }),
  reply: Type.Object({
    serialNumber: Type.String(),
    mac: Type.String(),
    kind: Type.String({ description: 'ipc, repeater, gateway or sensor; empty when not found' }),
    found: Type.Boolean(),
  }),
});

export const contestMac = defineEndpoint({
  key: 'POST /mac/contest',
  tag,
  summary:
    "Free a MAC that another farm entered at least 7 days ago and never heard, when this farm's gateway or network server has heard the device in the last 7 days: then it can be added here. Where the other farm hears it too, under another serial number than the registered one, its owner has 14 days to correct that: 409 until then. The other farm's owner is told in any case. 409 with the reason where it isn't this farm's by what is known or is too early, 429 when the farms of an account contested 5 in 24 hours",
  needs: needs.createRadios,
  target: { farm: { in: 'body', name: 'farmUID' } },
  perMinute: 20,
  body: Type.Object({ farmUID: Uid, serialNumber: SerialNumber, macAddress: MacAddress }),
  reply: Success,
});
