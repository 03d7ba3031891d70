import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { type Need, needs } from './permissions.ts';
import { LatLng, nullable, oneOf, Uid } from './schemas.ts';
import { batchId, undoNeeds } from './undo.ts';

/** What stands on the map and can be moved there. */
export const movableKinds = ['sprinkler', 'repeater', 'sensor', 'gateway', 'poi'] as const;
export type MovableKind = (typeof movableKinds)[number];
/** So many at once. */
const MOVES_MAX = 5000;

/** To move is to edit: a kind's own right. */
export const moveNeed = (kind: MovableKind): Need => undoNeeds[`move ${kind}`];

/** `current` of a 409: those that stand elsewhere than where the caller saw them, as they are. */
export const MovedMeanwhile = Type.Object({
  devices: Type.Array(Type.Object({ id: Uid, name: Type.String(), place: nullable(LatLng) })),
});
export type MovedMeanwhile = Static<typeof MovedMeanwhile>;

export const moveDevices = defineEndpoint({
  key: 'POST /devices/move',
  tag: 'Changes',
  summary:
    'Move devices of one kind on the map: all or none. 409 with `current: {devices}` where one no longer stands at its `from`. 400 at `confirmFar` asks whether a place far from the farm or from its gateway is meant: send it again with `confirmFar: true`',
  needs: needs.readFarm,
  needsFor: ({ kind }: { kind: MovableKind }): Need => moveNeed(kind),
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    kind: oneOf(movableKinds),
    devices: Type.Array(
      Type.Object({
        id: Uid,
        from: Type.Union([LatLng, Type.Null()], { description: 'where the caller saw it; null: nowhere' }),
        to: LatLng,
      }),
      { minItems: 1, maxItems: MOVES_MAX },
    ),
    confirmFar: Type.Optional(Type.Boolean()),
  }),
  bodyMaxBytes: 2 * 1024 * 1024,
  reply: Type.Object({ moved: Type.Integer({ description: 'that stand elsewhere now' }), batchId }),
});
