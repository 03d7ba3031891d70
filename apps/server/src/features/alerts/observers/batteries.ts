import { lowBattery } from '@headrace/contract/rules/alerts/alert-kinds';
import { sideOf } from '@headrace/contract/rules/alerts/sides';
import { isOutOfContact } from '@headrace/contract/rules/tank';
import { tankTypes } from '@headrace/contract/sensor-types';
import type { FarmView } from '../farm-view.ts';
import { type Observation, type RuleRow, watchesDevice } from '../observation.ts';
import { classOf } from '../rule-life.ts';

/** A battery that was charged is over its limit by so much: V of tanks, % of sprinklers. */
const CHARGED_BY = { tankV: 0.1, unitPercent: 5 } as const;
/** V. */
export const tankBattery = {
  condition: 'below',
  value: lowBattery.tankV,
  clearValue: lowBattery.tankV + CHARGED_BY.tankV,
} as const;
/** Nothing is charged beyond, however high a gateway's threshold is. */
const MOST_PERCENT = 99;

/** Tanks by volts, sprinklers by what their gateway calls low. */
export async function observeBatteries(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const wants = (kind: 'tank' | 'sprinkler') => rule.watch === null || rule.watch === kind;
  return [
    ...(wants('tank') ? await ofTanks(view, rule) : []),
    ...(wants('sprinkler') ? await ofUnits(view, rule) : []),
  ];
}

async function ofTanks(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const sensors = await view.sensors();
  return sensors.flatMap(({ device, latest }) => {
    const battery = latest.get('batteryV');
    if (!tankTypes.includes(device.type) || !watchesDevice(rule, device.id) || !battery) return [];
    const volts = isOutOfContact(battery.at, view.now) ? null : battery.value;
    const seen = {
      side: sideOf(tankBattery, volts),
      at: battery.at,
      value: volts,
      class: classOf(rule, 'info'),
    };
    return [{ deviceId: device.id, part: 0, facts: { name: device.name, unit: 'V' }, seen: [seen] }];
  });
}

async function ofUnits(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const [units, limits] = await Promise.all([view.units(), view.limits()]);
  return units.flatMap(({ row, status }) => {
    if (!watchesDevice(rule, row.id) || status.outOfService || status.isSpareUnit) return [];
    const { charge, hasBatteryError } = status;
    const isCharged = charge !== null && charge >= chargedFrom(limits(row.gateway_id).charge);
    const side =
      charge === null || status.isOutOfContact
        ? 'unknown'
        : hasBatteryError
          ? 'in'
          : isCharged
            ? 'out'
            : 'between';
    const seen = {
      side,
      at: row.charge_at ?? view.now,
      value: charge,
      class: classOf(rule, 'info'),
    } as const;
    return [{ deviceId: row.id, part: 0, facts: { name: row.name, unit: '%' }, seen: [seen] }];
  });
}

const chargedFrom = (threshold: number) => Math.min(MOST_PERCENT, threshold + CHARGED_BY.unitPercent);
