import type { Static, TSchema } from 'typebox';
import type { Db } from '../../db/client.ts';

/** Whose work it is. The account is null where it is gone. */
export interface JobOwner {
  readonly farmId: number;
  readonly accountId: number | null;
}

/** A job as it runs. It may have been begun before, and ended anywhere: whatever it does, it must be able to do again. */
export interface RunningJob<P> extends JobOwner {
  readonly payload: P;
  /** Aborted when the job is cancelled, when the server stops, and when another server may have taken the job. */
  readonly signal: AbortSignal;
  /** How far it is, from 0 to 1 and in a sentence. Written once a second at most. */
  progress(part: number, sentence: string): void;
}

export interface LongJobType<S extends TSchema = TSchema> {
  readonly name: string;
  readonly payload: S;
  /** How long it can be seen after its end, days. */
  readonly keptDays: number;
  /** Resolves with the result. Throws JobFailure where trying again is of no use; after anything else it is tried again. */
  run(job: RunningJob<Static<S>>): Promise<unknown>;
  /** Takes back what must not go on, in the transaction that cancels the job. */
  cancelled?(payload: Static<S>, owner: JobOwner, trx: Db, now: Date): Promise<void>;
}

/** It can't be done; the sentence says to a person why. */
export class JobFailure extends Error {}

/** Whoever asked wants it no more, or what it was about is gone. */
export class JobCancelled extends Error {}

/** So that the handler's payload has the schema's type. */
export const defineLongJob = <S extends TSchema>(type: LongJobType<S>): LongJobType<S> => type;
