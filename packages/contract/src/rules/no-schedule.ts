import { inhibitedCrc } from '@headrace/device/schedule-crc';

/** It holds nothing, and nothing is wanted for it: a spare, say. On the wire that looks like a unit that was inhibited. */
export const hasNoSchedule = ({
  stopWanted = null,
  isInhibited,
  inc_crc: wanted,
}: {
  readonly stopWanted?: number | null;
  readonly isInhibited: boolean;
  readonly inc_crc: string | null;
}): boolean => isInhibited && stopWanted === null && (wanted === null || wanted === inhibitedCrc);
