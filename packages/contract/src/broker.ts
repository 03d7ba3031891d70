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
  body: Type.Object({
    username: Type.String({ maxLength: 200 }),
    password: Type.String({ maxLength: 200 }),
    clientid: Type.String({ maxLength: 65_535 }),
  }),
  reply: Type.Object({
    result: Type.Union([Type.Literal('allow'), Type.Literal('deny')]),
    is_superuser: Type.Boolean(),
    acl: Type.Optional(Type.Array(Topic)),
  }),
});
