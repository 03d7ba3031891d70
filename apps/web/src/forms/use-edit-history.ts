import { useRef, useState } from 'react';
import type { RecordForm } from './use-record-form.ts';

/** Steps that can be taken back. */
const MOST_STEPS = 50;
/** Letters of one field typed within this of each other are one step, ms. */
const TYPING_MS = 700;

interface Steps<V> {
  past: readonly V[];
  future: readonly V[];
}

export interface EditHistory<V extends object> {
  /** The same form, whose changes are steps. */
  form: RecordForm<V>;
  undo: (() => void) | null;
  redo: (() => void) | null;
}

/** Steps back and forth of what is entered in a form. */
export function useEditHistory<V extends object>(form: RecordForm<V>): EditHistory<V> {
  const [{ past, future }, setSteps] = useState<Steps<V>>({ past: [], future: [] });
  const last = useRef({ names: '', at: 0 });
  const { values } = form;
  const patch = (change: Partial<V>) => {
    const names = Object.keys(change).join();
    const at = Date.now();
    const isSameStep = names === last.current.names && at - last.current.at < TYPING_MS;
    last.current = { names, at };
    setSteps({ past: isSameStep ? past : [...past, values].slice(-MOST_STEPS), future: [] });
    form.patch(change);
  };
  const go = (to: V, steps: Steps<V>) => {
    last.current = { names: '', at: 0 };
    setSteps(steps);
    form.patch(to);
  };
  const before = past.at(-1);
  const after = future[0];
  return {
    form: {
      ...form,
      patch,
      field: (name) => ({
        ...form.field(name),
        onChange: (value) => patch({ [name]: value } as unknown as Partial<V>),
      }),
    },
    undo: before ? () => go(before, { past: past.slice(0, -1), future: [values, ...future] }) : null,
    redo: after ? () => go(after, { past: [...past, values], future: future.slice(1) }) : null,
  };
}
