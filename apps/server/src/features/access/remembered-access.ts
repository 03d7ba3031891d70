import type { Entered, Named } from '../../http/access-gate.ts';
import { oneAtATime } from '../../one-at-a-time.ts';
import type { AccessListener } from '../../live/database-news.ts';

/** When a session or share was last used is written from time to time, so both are looked up again after this long, ms. */
const KEPT_MS = 60_000;
/** Entries at most; the least recently used is dropped first. */
const KEPT = 5000;

interface Known {
  readonly entered: Entered;
  /** Epoch ms. */
  readonly from: number;
  readonly until: number;
}

export interface Recalled extends Entered {
  /** Whether it still holds: false if any of it was changed, on any server, before this was asked. */
  readonly still: Promise<boolean>;
}

/**
 * Remembers whose session a token is and what that account may do with the thing a call names, as long as the database reports
 * every change. A remembered answer must be confirmed (`still`) before the reply is sent.
 */
export function createRememberedAccess() {
  const known = new Map<string, Known>();
  /** Counts the changes heard of: a look-up during which it grows may have read the old state. */
  let changes = 0;
  /** null: we may be missing changes. */
  let caughtUp: (() => Promise<unknown>) | null = null;

  function forget(isConcerned: (entered: Entered) => boolean): void {
    changes += 1;
    for (const [key, { entered }] of known) if (isConcerned(entered)) known.delete(key);
  }

  const listener: AccessListener = {
    onHearing(asked) {
      forget(() => true);
      caughtUp = oneAtATime(asked);
    },
    onDeaf() {
      caughtUp = null;
      forget(() => true);
    },
    onChanged(whose) {
      const [kind, id] = whose.split(' ');
      if (kind === 'account') forget(({ caller }) => caller.accountId === Number(id));
      else if (kind === 'farm') forget(({ farm }) => farm?.farmId === Number(id));
      else forget(() => true);
    },
  };

  function recall(key: string, now: Date): Recalled | null {
    const found = known.get(key);
    if (!found || !caughtUp) return null;
    const at = now.getTime();
    if (at < found.from || at >= found.until) return null;
    const still = caughtUp().then(
      () => known.get(key) === found,
      () => false,
    );
    return { ...found.entered, still };
  }

  return {
    listener,
    recall,

    /** Begins a look-up; what it gives keeps what was found, until `endsAt` at most (null: it doesn't end by itself). */
    lookUp(key: string, now: Date): (entered: Entered, endsAt: Date | null) => void {
      const before = changes;
      return (entered, endsAt) => {
        if (!caughtUp || changes !== before) return;
        const from = now.getTime();
        known.delete(key);
        known.set(key, { entered, from, until: Math.min(from + KEPT_MS, endsAt?.getTime() ?? Infinity) });
        const [oldest] = known.keys();
        if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
      };
    },
  };
}
export type RememberedAccess = ReturnType<typeof createRememberedAccess>;

/** Serial numbers stand for whichever unit has them now: those are looked up each time. */
export const keyOf = (tokenHash: Buffer, { kind, name }: Named): string | null =>
  kind === 'farm' || kind === 'device' ? `${kind} ${name} ${tokenHash.toString('base64')}` : null;
