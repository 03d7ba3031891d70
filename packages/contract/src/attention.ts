import Type, { type Static } from 'typebox';
import { attentionKinds } from './attention-kinds.ts';
import { nullable, Time, Uid } from './schemas.ts';

const oneOf = <T extends string>(...values: readonly T[]) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values] });

/** A device that needs a person. */
export const AttentionDevice = Type.Object({
  device: oneOf('gateway', 'tank', 'meter', 'site', 'repeater'),
  _id: Uid,
  name: Type.String(),
  /** A tank's level, %, where that is what is wrong; null else. */
  percent: nullable(Type.Number()),
  /** It has fallen silent since: this is what it last said. */
  isOld: Type.Boolean(),
  /** Of a gateway that is offline: who hasn't been heard since by any other way, so that nothing is known of them. */
  behind: Type.Optional(Type.Object({ tanks: Type.Integer(), sprinklers: Type.Integer() })),
});
export type AttentionDevice = Static<typeof AttentionDevice>;

const Count = Type.Integer({ minimum: 0 });

/** A command that ended badly, with as many of its sprinklers or gateways as that still matters for. */
export const FailedCommand = Type.Object({
  _id: Uid,
  title: Type.String(),
  /** What it was for: a unit, a group, a gateway or the whole farm. */
  name: Type.String(),
  isForGateway: Type.Boolean(),
  total: Count,
  /** The gateway says that these did not do it. */
  failed: Count,
  /** Of these nobody knows: no answer came in time, or it was not sent in time. */
  unanswered: Count,
  /** It was given to none of these: they must not water. */
  leftOut: Count,
});
export type FailedCommand = Static<typeof FailedCommand>;

/** One thing that is wrong, and with which devices. Sprinklers are counted and not named: they may be thousands. */
export const Attention = Type.Object({
  kind: oneOf(...attentionKinds),
  /** All devices, or commands, of which it is so, without sprinklers. */
  count: Type.Integer(),
  /** The worst of them first; the home page names the first few. */
  devices: Type.Array(AttentionDevice),
  sprinklers: Type.Integer(),
  /** Which they are, while they are few: of valves that are open, and of those out of contact or with one error alone. */
  units: Type.Optional(Type.Array(Uid)),
  /** Of a watering that was missed: when the last of it was to end. */
  wateringEndAt: Type.Optional(Time),
  /** The newest of them first. */
  commands: Type.Optional(Type.Array(FailedCommand)),
});
export type Attention = Static<typeof Attention>;
