import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { can, flag, type Need, needs } from './permissions.ts';
import { mayRestore } from './rules/may-restore.ts';
import { oneOf, Time, Uid } from './schemas.ts';

/** What can be undone as a whole, and what that needs: the same as to do it. */
export const undoNeeds = {
  'bulk add': { anyOf: [can('irrigationDevices', 'Create')] },
  'bulk edit': { anyOf: [can('irrigationDevices', 'Edit')] },
  /** Spare, or part of a circle. */
  'flag sprinkler': { anyOf: [can('irrigationDevices', 'Edit')] },
  /** A placeholder, or back in service. */
  'convert sprinkler': { allOf: [flag('convertIrrigationDevices'), can('placeholders', 'Edit')] },
  /** Besides it the rights to each kind of record that it is about. */
  import: { anyOf: [flag('import')] },
  /** Of a backup: all kinds at once. */
  restore: mayRestore,
  'reset locations': { anyOf: [can('irrigationDevices', 'Edit')] },
  'delete sprinkler': { anyOf: [can('irrigationDevices', 'Delete')] },
  'delete repeater': { anyOf: [can('repeaters', 'Delete')] },
  'delete sensor': { anyOf: [can('sensors', 'Delete')] },
  'delete gateway': { anyOf: [can('gateways', 'Delete')] },
  'delete poi': { anyOf: [can('pois', 'Delete')] },
  'delete schedule template': { anyOf: [can('schedules', 'Delete')] },
  'delete schedule set': { anyOf: [can('schedules', 'Delete')] },
  'delete group': { anyOf: [can('farms', 'Delete')] },
  'move sprinkler': { anyOf: [can('irrigationDevices', 'Edit')] },
  'move repeater': { anyOf: [can('repeaters', 'Edit')] },
  'move sensor': { anyOf: [can('sensors', 'Edit')] },
  'move gateway': { anyOf: [can('gateways', 'Edit')] },
  'move poi': { anyOf: [can('pois', 'Edit')] },
} as const satisfies Record<string, Need>;
export type Act = keyof typeof undoNeeds;
export const acts = Object.keys(undoNeeds) as Act[];
export const Act = Type.Unsafe<Act>({ type: 'string', enum: acts });

/** Of what was done as one and can be undone as one; null: nothing was changed. */
export const batchId = Type.Optional(Type.Union([Uid, Type.Null()]));
/** What was done, and by what it is undone. */
export const Undoable = Type.Object({ success: Type.Boolean(), batchId });

/** What was done as one, and may be undone now. */
export const Undoing = Type.Object({
  batchId: Uid,
  act: Act,
  title: Type.String({ description: 'what was done at first' }),
  /** What this batch was of it: the undo of one that was undone is done again. */
  was: oneOf(['done', 'undone', 'done again']),
});
export type Undoing = Static<typeof Undoing>;

/** A record that somebody changed since, or that can't be put back. */
export const UndoConflict = Type.Object({
  uid: Uid,
  kind: Type.String(),
  name: Type.String(),
  /** Who changed it since, and when; empty where that isn't known. */
  by: Type.String(),
  at: Type.Union([Time, Type.Null()]),
  /** It can be put back over that change. */
  canPutBack: Type.Boolean(),
  /** Why not; empty where it can. */
  why: Type.String(),
});
export type UndoConflict = Static<typeof UndoConflict>;
/** `current` of a 409: what has to be chosen, and how many records go back without a question. */
export const UndoChoices = Type.Object({ conflicts: Type.Array(UndoConflict), others: Type.Integer() });
export type UndoChoices = Static<typeof UndoChoices>;

export const undo = defineEndpoint({
  key: 'POST /undo',
  tag: 'Changes',
  summary:
    'Undo what was done as one, within 30 days and once. 409 with `current: {conflicts, others}` where records were changed since: call again with each of them in `keep` or `putBack`. Needs what the act itself needs',
  needs: needs.readFarm,
  needsFor: ({ act }: { act: Act }): Need => undoNeeds[act],
  target: { farm: { in: 'body', name: 'farmUID' } },
  body: Type.Object({
    farmUID: Uid,
    batchId: Uid,
    act: Act,
    keep: Type.Optional(Type.Array(Uid, { maxItems: 10_000 })),
    putBack: Type.Optional(Type.Array(Uid, { maxItems: 10_000 })),
  }),
  reply: Type.Object({
    undone: Type.Integer({ description: 'records that are as they were before' }),
    kept: Type.Integer({ description: 'records that stay as they are' }),
    batchId,
  }),
});
