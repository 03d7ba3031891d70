import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { Irrigation } from './profile.ts';

const dayMinutes = 1440;

/** Nights until every group has had its turn. */
export function cycleLength(irrigation: Irrigation): number {
  return Math.max(1, Math.ceil(irrigation.groups.length / irrigation.groupsPerNight));
}

/** What the sprinklers of a group hold: one watering per cycle, after midnight counted to the next day of the cycle. */
export function scheduleEntries(irrigation: Irrigation, group: string): ScheduleEntry[] {
  const index = irrigation.groups.indexOf(group);
  if (index < 0) return [];
  const cycle = cycleLength(irrigation);
  const night = Math.floor(index / irrigation.groupsPerNight);
  const start = irrigation.startMinute + (index % irrigation.groupsPerNight) * irrigation.minutesPerGroup;
  return [
    {
      start: start % dayMinutes,
      duration: irrigation.minutesPerGroup,
      cycle: ((night + Math.floor(start / dayMinutes)) % cycle) + 1,
    },
  ];
}
