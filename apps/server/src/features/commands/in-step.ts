import { inhibitedCrc } from '@headrace/device/schedule-crc';
import type { LiveUnit } from './waiting-units.ts';

/**
 * It says that it holds this very schedule, with a cycle as long. A gateway may have it anew: nothing is asked twice. Who is to hold
 * nothing is always told: `D6:DA` is what an inhibited unit says that holds a schedule.
 */
export function isInStep({ state, hasCrc, crc, cycleLen, payload }: LiveUnit): boolean {
  return state === 'queued' && hasCrc && crc !== inhibitedCrc && isCycle(payload, cycleLen);
}

/** What it holds differs from this schedule in the length of its cycle alone. */
export const isCycleAlone = ({ hasCrc, crc, cycleLen, payload }: LiveUnit) =>
  hasCrc && crc !== inhibitedCrc && cycleLen !== null && !isCycle(payload, cycleLen);
const isCycle = ({ cycleLen }: LiveUnit['payload'], days: number | null) =>
  cycleLen === undefined || cycleLen === days;
export const CYCLE_ALONE_NOTE =
  'Only the length of the cycle differs, which its gateway cannot be told. Change a time of it too, or update the gateway.';
