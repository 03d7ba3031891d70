import type { Incident } from '@headrace/contract/alerts';
import type { Attention } from '@headrace/contract/attention';
import type { AttentionKind } from '@headrace/contract/attention-kinds';
import type { AlertKind } from '@headrace/contract/rules/alerts/alert-kinds';

type AlertInSight = Pick<Incident, 'kind' | 'devices' | 'watering'>;

/** Which alert tells the same of a device. What no alert is about is in none. */
const alertOf: Partial<Record<AttentionKind, AlertKind>> = {
  valveOverdue: 'ValveOpen',
  unplannedWatering: 'ValveOpen',
  gatewayOffline: 'OutOfContact',
  outOfContact: 'OutOfContact',
  leak: 'TankLeak',
  lowLevel: 'TankLow',
  pumpLiftsLittle: 'PumpRuns',
  lowBattery: 'LowBattery',
  sprinklerError: 'SprinklerError',
};

/** `ofSprinklers`: of which it is so, where some of them are told above and `sprinklers` are left; else 0. */
export type Besides = Attention & { ofSprinklers?: number };

/**
 * What is wrong besides what alerts in sight tell: a fact of a device has one line, and the alert's leads to whom it was told and who is on
 * it. `inSight`: alerts that are listed above, not those behind "and 3 more". Sprinklers that are only counted stay counted, but for
 * those that missed a watering: of it an alert counts them too, by their groups.
 */
export function withoutAlerts(attention: readonly Attention[], inSight: readonly AlertInSight[]): Besides[] {
  return attention.flatMap((one) => {
    const told = devicesOf(one.kind, inSight);
    const devices = one.devices.filter(({ _id }) => !told.has(_id));
    const units = one.units?.filter((id) => told.has(id)).length ?? missedOf(one, inSight);
    const count = one.count + devices.length - one.devices.length;
    const sprinklers = one.sprinklers - units;
    const ofSprinklers = units && one.sprinklers;
    return count + sprinklers > 0 ? [{ ...one, count, devices, sprinklers, ofSprinklers }] : [];
  });
}

/** How many sprinklers alerts tell of the same watering. */
const missedOf = ({ wateringEndAt }: Attention, inSight: readonly AlertInSight[]): number =>
  inSight.find(({ watering }) => watering?.endAt === wateringEndAt)?.watering?.sprinklers ?? 0;

const devicesOf = (kind: AttentionKind, inSight: readonly AlertInSight[]): ReadonlySet<string> =>
  new Set(
    inSight.flatMap((incident) =>
      incident.kind === alertOf[kind]
        ? incident.devices.flatMap(({ uid, endedAt }) => (endedAt === null ? [uid] : []))
        : [],
    ),
  );
