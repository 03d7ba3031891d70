import { SPRINKLER_OUT_OF_CONTACT_DAYS } from '@headrace/contract/rules/condition';
import type { NewUnit } from './commands.repo.ts';
import { groupBy } from '../../group-by.ts';
import type { Intended } from './send-plan.ts';
import type { LastHeard } from './unit-facts.ts';

const DAY_MS = 86_400_000;
export const UNHEARD_NOTE = 'Left out: not heard for more than 30 days.';

/**
 * Units that a send of schedules leaves out and that get theirs once they are heard: heard before, and not for 30 days. Where more
 * than half of a gateway's units are so, it was the gateway that was away, as over winter, and they are asked; so is who was never
 * heard, or a new farm's first send would reach nobody.
 */
export function unheardOf(
  { found: { units, schedules } }: Pick<Intended, 'found'>,
  facts: ReadonlyMap<number, LastHeard>,
  now: Date,
): ReadonlySet<number> {
  if (!schedules || schedules.setId === null || units.length < 2) return new Set();
  const isUnheard = ({ deviceId }: NewUnit) => {
    const heardAt = facts.get(deviceId)?.heardAt ?? null;
    return heardAt !== null && now.getTime() - heardAt.getTime() > SPRINKLER_OUT_OF_CONTACT_DAYS * DAY_MS;
  };
  return new Set(
    groupBy(units, ({ gatewayId }) => gatewayId).flatMap((all) => {
      const unheard = all.filter(isUnheard);
      return unheard.length * 2 > all.length ? [] : unheard.map(({ deviceId }) => deviceId);
    }),
  );
}
