import { useEffect, useState, useSyncExternalStore } from 'react';
import { type BlockerFn, useRouter } from '@tanstack/react-router';
import { afterPaint } from '../../ui/after-paint.ts';
import { openSprinkler } from './sprinkler-search.ts';

type Router = ReturnType<typeof useRouter>;

/** A sprinkler's dialog from the tap on it until the address has it. */
export interface Opening {
  /**
   * Shows it now; the address, and with it the page behind, follows once that is painted: it takes a phone longer than the dialog does.
   * `then` is done together with it.
   */
  open: (id: string, then?: () => void) => void;
  /** Closes it. False: the address may have it by now, and is to be closed there. */
  takeBack: () => boolean;
  /** What the address names, as often as it is looked at: once it is another, the address says which dialog is open. */
  addressIs: (id: string | null) => void;
  subscribe: (listener: () => void) => () => void;
  /** What was tapped; null: the address says it. */
  tapped: () => string | null;
}

/** For a page with sprinklers to open. */
export function useOpening(): Opening {
  const router = useRouter();
  const [opening] = useState(() => createOpening(router));
  useEffect(() => () => void opening.takeBack(), [opening]);
  return opening;
}

/** What was tapped, for what shows it; null: the address says it. */
export const useTapped = ({ subscribe, tapped }: Opening): string | null =>
  useSyncExternalStore(subscribe, tapped);

function createOpening(router: Router): Opening {
  const listeners = new Set<() => void>();
  let tapped: string | null = null;
  let named: string | null = null;
  /** Null: the address is under way, or has come. */
  let stopWaiting: (() => void) | null = null;

  function set(id: string | null): void {
    stopWaiting?.();
    stopWaiting = null;
    tapped = id;
    for (const listener of listeners) listener();
  }
  function takeBack(): boolean {
    const isWaiting = stopWaiting !== null;
    set(null);
    return isWaiting;
  }
  function open(id: string, then?: () => void): void {
    set(id);
    const unblock = closeByBack(router, takeBack);
    const cancel = afterPaint(() => {
      stopWaiting = null;
      unblock();
      then?.();
      void follow(id);
    });
    stopWaiting = () => {
      cancel();
      unblock();
    };
  }
  async function follow(id: string): Promise<void> {
    await router.navigate(openSprinkler(id));
    // Something else went elsewhere before it came.
    if (tapped === id && stopWaiting === null && addressed(router) !== id) set(null);
  }
  return {
    open,
    takeBack,
    addressIs: (id) => {
      if (id !== named && tapped !== null) set(null);
      named = id;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tapped: () => tapped,
  };
}

const addressed = ({ state }: Router): unknown => (state.location.search as { ipc?: unknown }).ipc;

/** Back closes the dialog, as it does once the address has it, and leaves the page where it is. Whoever goes elsewhere goes. */
function closeByBack({ history }: Router, close: () => void): () => void {
  const blockerFn: BlockerFn = ({ action }) => {
    close();
    return action === 'BACK';
  };
  return history.block({ enableBeforeUnload: false, blockerFn });
}
