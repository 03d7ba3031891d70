import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { constants, setPriority } from 'node:os';

/**
 * Lets other threads have the cores first: long work that nobody sees each step of is not to hold up calls and readings.
 * Linux has a priority for each thread; elsewhere this one stays as it is.
 */
export function yieldCores() {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not Linux, or not allowed here.
  }
}
