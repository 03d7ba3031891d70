import { readlinkSync } from 'node:fs';
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
