import { usualClear } from '@headrace/contract/rules/alerts/alert-kinds';
import type { AlertFacts } from '@headrace/contract/rules/alerts/alert-texts';
import type { Seen } from '@headrace/contract/rules/alerts/alert-life';
import { type Limit, sideOf } from '@headrace/contract/rules/alerts/sides';
import { isOutOfContact, levelPercent, tankShape } from '@headrace/contract/rules/tank';
import { sensorTypes, tankTypes } from '@headrace/contract/sensor-types';
import { meanTension } from '../../soil-moisture/soil-site.ts';
import { statusTimeOf } from '../../series/latest-values.ts';
import type { DeviceRow } from '../../../db/schema.ts';
import type { FarmView } from '../farm-view.ts';
import { type Observation, type RuleRow, watchesDevice } from '../observation.ts';
import { gatewayAwaySince } from '../parents.ts';
import { classOf } from '../rule-life.ts';

/** A rule's limit, with the end that its kind has where it names none. */
export function limitOf({
  kind,
  condition,
  value,
  clear_value,
}: Pick<RuleRow, 'kind' | 'condition' | 'value' | 'clear_value'>): Limit {
  const limit = value ?? 0;
  return {
    condition: condition === 'above' ? 'above' : 'below',
    value: limit,
    clearValue: clear_value ?? usualClear(kind, condition, limit) ?? limit,
  };
}

/** Tanks whose level is beyond the limit; of a silent one nothing is known. Below half of the limit it is urgent. */
export async function observeLevels(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const limit = limitOf(rule);
  const [sensors, asOf] = await Promise.all([view.sensors(), textsBehind(view)]);
  return sensors.flatMap(({ device, latest }) => {
    if (!tankTypes.includes(device.type) || !watchesDevice(rule, device.id)) return [];
    const level = latest.get('levelMm');
    const isKnown = level !== undefined && !isOutOfContact(level.at, view.now);
    const percent = isKnown ? levelPercent(tankShape(device.settings), level.value) : null;
    const isUrgent = rule.kind === 'TankLow' && percent !== null && percent < limit.value / 2;
    const seen: Seen = {
      side: sideOf(limit, percent),
      at: level?.at ?? view.now,
      value: percent,
      class: classOf(rule, isUrgent ? 'urgent' : 'important'),
    };
    const facts = { name: device.name, ...asOf(device, level?.at) };
    return [{ deviceId: device.id, part: 0, facts, seen: [seen] }];
  });
}

/** How old the word of a device is whose gateway is offline. */
async function textsBehind(view: FarmView) {
  const [gateways, gaps] = await Promise.all([view.gateways(), view.gaps()]);
  const away = new Set(
    gateways.flatMap((row) => (gatewayAwaySince(row, gaps, view.now) === null ? [] : [row.id])),
  );
  return ({ gateway_id }: DeviceRow, at: number | undefined): Pick<AlertFacts, 'asOf'> => {
    const isAway = gateway_id !== null && away.has(gateway_id);
    return isAway && at !== undefined ? { asOf: at } : {};
  };
}

/** Soil sites by the average of their sensors. */
export async function observeSoil(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const limit = limitOf(rule);
  const sensors = await view.sensors();
  return sensors.flatMap(({ device, latest }) => {
    if (device.type !== sensorTypes.SOIL_MOISTURE || !watchesDevice(rule, device.id)) return [];
    const value = meanTension(latest, view.now);
    const seen: Seen = {
      side: sideOf(limit, value),
      at: statusTimeOf(latest) ?? view.now,
      value,
      class: classOf(rule, 'info'),
    };
    return [{ deviceId: device.id, part: 0, facts: { name: device.name }, seen: [seen] }];
  });
}
