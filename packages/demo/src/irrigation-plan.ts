import type { ScheduleEntry } from '@headrace/device/schedule-crc';
import type { FarmProfile, Irrigation, SprinklerProfile } from './profile.ts';

const dayMinutes = 1440;
/** Every sprinkler has its turn each night. */
export const cycleDays = 1;

/** Minutes that the sprinklers of a group hold: of a group that the newest schedule hasn't reached by the one before it. */
export function minutesOf({ minutes, behind }: Irrigation, group: string): number {
  return behind?.groups.includes(group) ? behind.minutes : minutes;
}

/** By address each sprinkler's turn in its group, from 0. One that is out of service leaves a hole. */
export function turnsOf(sprinklers: readonly SprinklerProfile[]): ReadonlyMap<string, number> {
  const turns = new Map<string, number>();
  const begun = new Map<string, number>();
  for (const { mac, group, isSpareUnit, isOutOfService } of sprinklers.toSorted(byName)) {
    if (group === '' || isSpareUnit) continue;
    const turn = begun.get(group) ?? 0;
    begun.set(group, turn + 1);
    if (!isOutOfService) turns.set(mac, turn);
  }
  return turns;
}

/** Names have as many digits each: the natural order is that of their letters. */
const byName = (one: SprinklerProfile, other: SprinklerProfile) => (one.name < other.name ? -1 : 1);

/** By address what each sprinkler holds: one watering a day, in its turn, as the product computes it from the farm's template. */
export function scheduleEntries({
  irrigation,
  sprinklers,
}: Pick<FarmProfile, 'irrigation' | 'sprinklers'>): ReadonlyMap<string, readonly ScheduleEntry[]> {
  if (!irrigation) return new Map();
  const turns = turnsOf(sprinklers);
  return new Map(
    sprinklers.flatMap(({ mac, group }) => {
      const turn = turns.get(mac);
      if (turn === undefined) return [];
      const duration = minutesOf(irrigation, group);
      const start = (irrigation.startMinute + turn * duration) % dayMinutes;
      return [[mac, [{ start, duration, cycle: 1 }]] as const];
    }),
  );
}
