import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setPriority } from 'node:os';

/** A third of the share of a thread that doesn't yield, where both want a core. */
const NICE = 5;

/**
 * Lets other threads have the cores first: long work that nobody sees each step of is not to hold up calls and readings.
 * Linux has a priority for each thread; elsewhere this one stays as it is.
 */
export function yieldCores() {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), NICE);
  } catch {
    // Not Linux, or not allowed here.
  }
}

/** What the kernel ends first where memory is short, of 1,000. */
const ENDED_FIRST = '500';

/**
 * The same of a whole process of one's own, with the threads that V8 has for its collections and its compiler. Where a machine runs out of
 * memory, the system ends it before who started it.
 */
export function yieldProcess() {
  try {
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), NICE);
    writeFileSync('/proc/self/oom_score_adj', ENDED_FIRST);
  } catch {
    // Not Linux, or not allowed here.
  }
}
