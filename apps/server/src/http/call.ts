import type { FastifyRequest } from 'fastify';
import type { BodyOf, Endpoint, NeedsOf, QueryOf, Raw, ReplyOf, TargetOf } from '@headrace/contract/endpoint';
import type { DeviceRow } from '../db/schema.ts';
import type { Caller, FarmAccess } from './access-gate.ts';
import type { Sent } from './raw-reply.ts';

interface AnyCall<E extends Endpoint> {
  query: QueryOf<E>;
  body: BodyOf<E>;
  now: Date;
  request: FastifyRequest;
  /** Aborted when the caller's connection ends: for work that is only for him, and long. */
  readonly gone: AbortSignal;
}

/** Nobody on the operator's calls; on public ones whoever has signed in, or nobody. */
type WithCaller<Needs> = Needs extends { operator: true }
  ? unknown
  : { caller: Needs extends { public: true } ? Caller | null : Caller };

/** The farm where the call has a target, and the device where that is one, or a serial number. */
type WithTarget<Of> = [Of] extends [undefined]
  ? unknown
  : Of extends { device: unknown } | { serial: unknown } | { sprinkler: unknown }
    ? { farm: FarmAccess; device: DeviceRow }
    : { farm: FarmAccess };

/** What a handler is given: everything validated, the caller known, the right checked. Only what its endpoint declares is there. */
export type Call<E extends Endpoint> = AnyCall<E> & WithCaller<NeedsOf<E>> & WithTarget<TargetOf<E>>;

/** What a handler answers: what the reply's schema says, or what is sent as it is. */
export type Answer<E extends Endpoint> = ReplyOf<E> extends Raw ? Sent : ReplyOf<E>;
