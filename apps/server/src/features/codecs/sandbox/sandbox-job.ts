/** What one run of a codec may use. Real codecs take a millisecond or two and return some dozen values. */
export interface SandboxLimits {
  /** The engine stops a script by itself after this long, ms. */
  readonly runMs: number;
  readonly stackBytes: number;
  /** Levels of objects and lists in the result. */
  readonly depth: number;
  /** Members of one object, or items of one list. */
  readonly members: number;
  /** Of all objects and lists together. */
  readonly values: number;
  /** Of the result as JSON, and of each text in it. */
  readonly characters: number;
}

export const SANDBOX_LIMITS: SandboxLimits = {
  // A thousand times what a codec takes: a busy machine must not make it late.
  runMs: 1000,
  stackBytes: 256 * 1024,
  depth: 12,
  members: 256,
  values: 2000,
  characters: 64 * 1024,
};

/** What goes to the thread. Without an input it only says whether the script is a codec. */
export interface SandboxJob {
  /** The same for the same text. */
  readonly scriptId: number;
  /** Left out at first: the thread asks for what it doesn't have at hand. */
  readonly script?: string;
  readonly input: CodecInput | null;
  readonly limits: SandboxLimits;
}

export interface CodecInput {
  readonly bytes: readonly number[];
  readonly fPort: number;
  /** ISO-8601 UTC; the codec is given a Date. */
  readonly recvTime: string;
}

export type FailureCause =
  /** It is no codec: it can't be read, or has no function to call. */
  | 'syntax'
  | 'threw'
  | 'time'
  | 'memory'
  /** The thread ended by itself. */
  | 'crash'
  /** It never ran: too much waits for the same codec. */
  | 'queue';

export type SandboxOutcome =
  /** `{ data, warnings, errors }`, each as the codec returned it, or `{ threw }`. */
  | { readonly kind: 'result'; readonly json: string }
  | { readonly kind: 'accepted' }
  | {
      readonly kind: 'failed';
      readonly cause: FailureCause;
      readonly message: string;
      /** Of the script, from 1. */
      readonly line: number | null;
    };
