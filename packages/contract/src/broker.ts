import Type from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';

const Topic = Type.Object({
  permission: Type.Union([Type.Literal('allow'), Type.Literal('deny')]),
  action: Type.Union([Type.Literal('publish'), Type.Literal('subscribe'), Type.Literal('all')]),
  topic: Type.String(),
});

/** In the form in which EMQX asks and wants to be answered: docs/deploy/emqx. */
export const brokerAuthenticate = defineEndpoint({
  key: 'POST /broker/authenticate',
  tag: 'Operator',
  summary: 'Whether a device may sign in at an outside broker that asks, and which topics it has there',
  needs: needs.operator,
  // All devices of a region may come back at the same moment, and a client id may have 64 KiB.
  perMinute: 60_000,
  bodyMaxBytes: 128 * 1024,
  body: Type.Object({
    // As long as MQTT allows: what no device of ours has is answered with no, not refused, which EMQX would take for no answer.
    username: Type.String({ maxLength: 65_535 }),
    password: Type.String({ maxLength: 65_535 }),
    clientid: Type.String({ maxLength: 65_535 }),
    /** The device's own address: guesses count by it. */
    peerhost: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  reply: Type.Object({
    result: Type.Union([Type.Literal('allow'), Type.Literal('deny')]),
    is_superuser: Type.Boolean(),
    acl: Type.Optional(Type.Array(Topic)),
  }),
});
