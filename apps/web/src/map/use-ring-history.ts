import { useState } from 'react';
import { isSameRing, type Ring } from './draft.ts';

interface History {
  /** What the steps are about: another ring from outside starts anew. */
  ring: Ring;
  past: readonly Ring[];
  future: readonly Ring[];
}
/** Steps that can be taken back. */
const MOST_STEPS = 100;
const begin = (ring: Ring): History => ({ ring, past: [], future: [] });

export interface RingHistory {
  /** One step: what it makes of the ring. */
  commit: (next: readonly Ring[number][]) => void;
  undo: (() => void) | null;
  redo: (() => void) | null;
}

/** Steps back and forth of a ring that its owner holds. */
export function useRingHistory(ring: Ring, onChange: (ring: Ring[number][]) => void): RingHistory {
  const [known, setKnown] = useState(() => begin(ring));
  const history = isSameRing(known.ring, ring) ? known : begin(ring);
  const go = (next: History) => {
    setKnown(next);
    onChange([...next.ring]);
  };
  const { past, future } = history;
  const before = past.at(-1);
  const after = future[0];
  return {
    commit: (next) => {
      if (isSameRing(next, ring)) return;
      go({ ring: next, past: [...past, ring].slice(-MOST_STEPS), future: [] });
    },
    undo: before ? () => go({ ring: before, past: past.slice(0, -1), future: [ring, ...future] }) : null,
    redo: after ? () => go({ ring: after, past: [...past, ring], future: future.slice(1) }) : null,
  };
}
