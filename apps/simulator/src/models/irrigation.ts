import type { Irrigation } from '@headrace/demo/profile';
import { minutesOf } from '@headrace/demo/irrigation-plan';
import type { LocalTime } from './local-time.ts';

const dayMinutes = 1440;

/**
 * Which sprinkler of a group waters at a moment, by its turn from 0, as the farm's meters and soil feel it. A group may have fewer
 * turns: then none does. On a night when the clock changes it is off by that hour; the sprinklers themselves are not.
 */
export type Watering = { readonly turnAt: (group: string, at: number) => number | null };

export function createWatering(irrigation: Irrigation | null, local: (at: number) => LocalTime): Watering {
  if (!irrigation) return { turnAt: () => null };
  const { groups, startMinute } = irrigation;
  const known = new Set(groups);
  return {
    turnAt: (group, at) => {
      if (!known.has(group)) return null;
      const sinceStart = local(at).hour * 60 - startMinute;
      return Math.floor(((sinceStart + dayMinutes) % dayMinutes) / minutesOf(irrigation, group));
    },
  };
}
