import type { AlertKind } from '@headrace/contract/rules/alerts/alert-kinds';
import type { Db } from '../../db/client.ts';
import { addAlerts, newFarmAlerts, type UsualAlert } from '../alerts/usual-alerts.ts';

/** A repeater and a sprinkler report once a day: one that missed two reports is silent, min. */
const TWO_REPORTS = 50 * 60;

const ofAll: readonly UsualAlert[] = [
  { kind: 'OutOfContact', name: 'Tank out of contact', watch: 'tank' },
  { kind: 'LowBattery', name: 'Tank battery low', watch: 'tank' },
  { kind: 'EmptySoon', name: 'Tank empty soon' },
];
const ofIrrigated: readonly UsualAlert[] = [
  { kind: 'OutOfContact', name: 'Repeater out of contact', watch: 'repeater', value: TWO_REPORTS },
  { kind: 'LowBattery', name: 'Sprinkler battery low', watch: 'sprinkler' },
  { kind: 'Missed', name: 'Watering missed' },
  { kind: 'CommandFailed', name: 'Command failed' },
];

/** Of a new farm's alerts those that a farm without sprinklers has no use for. */
const ofSprinklers: readonly AlertKind[] = ['ValveOpen', 'SprinklerError'];

/**
 * What somebody who farms there wants to be told. What is told comes from what the simulated devices say. `trx`: the one that makes the
 * farms, and never later, since what somebody deletes stays away.
 */
export async function seedAlerts(trx: Db, now: Date): Promise<void> {
  const farms = await trx.selectFrom('farm').selectAll().where('is_demo', '=', true).execute();
  for (const { id: farmId, owner_id: accountId, tank_only: isTankOnly } of farms) {
    const usual = newFarmAlerts.filter(({ kind }) => !isTankOnly || !ofSprinklers.includes(kind));
    const alerts = [...usual, ...ofAll, ...(isTankOnly ? [] : ofIrrigated)];
    await addAlerts(trx, { farmId, accountId, alerts }, now);
  }
}
