import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { needs } from './permissions.ts';
import { Time, Uid } from './schemas.ts';
import { Undoing } from './undo.ts';

/** Who changed what, from what and to what. */
export const Change = Type.Object({
  _id: Type.String(),
  at: Time,
  by: Type.String({ description: 'name of the account; empty when it is gone' }),
  kind: Type.String({
    description:
      'farm, sprinkler, gateway, repeater, sensor, poi, group, schedule template or schedule set; of `uid` also alert, without its fields',
  }),
  uid: Uid,
  name: Type.String(),
  what: Type.String({ description: 'created, changed, changed by command, deleted, converted, …' }),
  fields: Type.Array(Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() })),
  parts: Type.Optional(
    Type.Integer({
      minimum: 2,
      description: 'how many changes were done as one, of which this is the newest',
    }),
  ),
  /** What it was done together with, and can be undone with, by this caller and now. */
  undo: Type.Optional(Undoing),
});
export type Change = Static<typeof Change>;

const ChangeId = Type.String({ pattern: '^[0-9]{1,18}$', description: '`_id` of a change' });

export const listChanges = defineEndpoint({
  key: 'GET /changes',
  tag: 'Changes',
  summary:
    'Changes of a farm, or of one of its devices, groups or alerts, newest first; only of kinds that the caller may read',
  needs: needs.readFarm,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({
    farmUID: Uid,
    uid: Type.Optional(Uid),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    before: Type.Optional({ ...ChangeId, description: 'the `_id` of the last one that was read' }),
    together: Type.Optional(
      Type.Boolean({ description: 'of changes that were done as one only the newest, with `parts`' }),
    ),
    with: Type.Optional({ ...ChangeId, description: 'the changes that were done as one with this one' }),
  }),
  reply: Type.Object({ changes: Type.Array(Change), more: Type.Boolean() }),
});
