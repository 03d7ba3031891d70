import type { FarmView } from '../farm-view.ts';
import { type Observation, type RuleRow, watchesDevice } from '../observation.ts';
import { classOf } from '../rule-life.ts';

/** Pumps that run longer than the level explains, by signs that may be believed. Of a silent tank nothing new is known. */
export async function observePumps(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const [tanks, findings, sensors] = await Promise.all([view.tanks(), view.findings(), view.sensors()]);
  const pumpOf = new Map(findings.tanks.map(({ _id, pump }) => [_id, pump]));
  const idOf = new Map(sensors.map(({ device }) => [device.uid, device.id]));
  return tanks.flatMap((tank) => {
    const deviceId = idOf.get(tank._id);
    if (deviceId === undefined || !watchesDevice(rule, deviceId)) return [];
    const signs = pumpOf.get(tank._id) ?? null;
    const isSure = signs !== null && signs.confidence !== 'low';
    const facts = {
      name: tank.name,
      ...(signs && { minutes: signs.minutes, risePercent: signs.risePercent }),
    };
    const seen = {
      side: tank.isOutOfContact
        ? ('unknown' as const)
        : isSure
          ? ('in' as const)
          : signs
            ? ('between' as const)
            : ('out' as const),
      at: isSure ? Date.parse(signs.since) : view.now,
      value: null,
      class: classOf(rule, 'urgent'),
    };
    return [{ deviceId, part: 0, facts, seen: [seen] }];
  });
}
