import Type, { type Static } from 'typebox';
import { attentionKinds } from './attention-kinds.ts';
import { nullable, Uid } from './schemas.ts';

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

/** One thing that is wrong, and with which devices. Sprinklers are counted and not named: they may be thousands. */
export const Attention = Type.Object({
  kind: oneOf(...attentionKinds),
  /** All devices of which it is so, without sprinklers. */
  count: Type.Integer(),
  /** The worst of them first; the home page names the first few. */
  devices: Type.Array(AttentionDevice),
  sprinklers: Type.Integer(),
});
export type Attention = Static<typeof Attention>;
