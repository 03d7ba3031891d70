import type { FarmView } from '../farm-view.ts';
import { type Observation, type RuleRow, watchesDevice } from '../observation.ts';
import { classOf } from '../rule-life.ts';

const URGENT_LITRES_PER_HOUR = 200;

/** Tanks with the leak mark of their card, or with signs of a leak that may be believed. A tank that is silent says nothing new. */
export async function observeLeaks(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const [tanks, findings, sensors] = await Promise.all([view.tanks(), view.findings(), view.sensors()]);
  const leakOf = new Map(findings.tanks.map(({ _id, leak }) => [_id, leak]));
  const idOf = new Map(sensors.map(({ device }) => [device.uid, device.id]));
  return tanks.flatMap((tank) => {
    const deviceId = idOf.get(tank._id);
    if (deviceId === undefined || !watchesDevice(rule, deviceId)) return [];
    const signs = leakOf.get(tank._id) ?? null;
    const isSure = signs !== null && signs.confidence !== 'low';
    const litresPerHour = isSure ? signs.litresPerHour : undefined;
    const is = tank.leakDetected || isSure;
    const seen = {
      side: tank.isOutOfContact
        ? ('unknown' as const)
        : is
          ? ('in' as const)
          : signs
            ? ('between' as const)
            : ('out' as const),
      at: isSure ? Date.parse(signs.since) : view.now,
      value: litresPerHour ?? null,
      class: classOf(rule, (litresPerHour ?? 0) >= URGENT_LITRES_PER_HOUR ? 'urgent' : 'important'),
    };
    const facts = { name: tank.name, ...(litresPerHour !== undefined && { litresPerHour }) };
    return [{ deviceId, part: 0, facts, seen: [seen] }];
  });
}
