import { useState, useSyncExternalStore } from 'react';
import type { Command } from '@headrace/contract/commands';

/** Scrolled less than this, the reader is at the top, px. */
const AT_TOP_PX = 80;

function followScroll(listener: () => void): () => void {
  addEventListener('scroll', listener, { passive: true });
  return () => removeEventListener('scroll', listener);
}

/**
 * The commands that may be shown without the list jumping: somebody who has scrolled down is told how many new ones
 * there are and goes up to them. `commands` are newest first.
 */
export function useHeldBack(commands: readonly Command[]): { shown: readonly Command[]; held: number } {
  const isAtTop = useSyncExternalStore(followScroll, () => scrollY < AT_TOP_PX);
  const newest = commands[0]?.createdAt;
  const [top, setTop] = useState(newest);
  if ((isAtTop || top === undefined) && top !== newest) setTop(newest);
  const held = top === undefined ? 0 : commands.findIndex(({ createdAt }) => createdAt <= top);
  return held > 0 ? { shown: commands.slice(held), held } : { shown: commands, held: 0 };
}
