import { useState } from 'react';
import type { Command } from '@headrace/contract/commands';
import { useScrolledBeyond } from '../../ui/use-scrolled.ts';

/** Scrolled no further than this, the reader is at the top, px. */
const topHeight = () => 80;

/**
 * The commands that may be shown without the list jumping: somebody who has scrolled down is told how many new ones
 * there are and goes up to them. `commands` are newest first.
 */
export function useHeldBack(commands: readonly Command[]): { shown: readonly Command[]; held: number } {
  const isAtTop = !useScrolledBeyond(topHeight);
  const newest = commands[0]?.createdAt;
  const [top, setTop] = useState(newest);
  if ((isAtTop || top === undefined) && top !== newest) setTop(newest);
  const held = top === undefined ? 0 : commands.findIndex(({ createdAt }) => createdAt <= top);
  return held > 0 ? { shown: commands.slice(held), held } : { shown: commands, held: 0 };
}
