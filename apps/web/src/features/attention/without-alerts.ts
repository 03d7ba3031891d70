import type { Incident } from '@headrace/contract/alerts';
import type { Attention } from '@headrace/contract/attention';
import type { AttentionKind } from '@headrace/contract/attention-kinds';
import type { AlertKind } from '@headrace/contract/rules/alerts/alert-kinds';

type AlertInSight = Pick<Incident, 'kind' | 'devices'>;

/** Which alert tells the same of a device. What no alert is about, or what is counted of the farm as a whole, is in none. */
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

/** `isMore`: other sprinklers of which it is so are told above. */
export type Besides = Attention & { isMore?: boolean };

/**
 * What is wrong besides what alerts in sight tell: a fact of a device has one line, and the alert's leads to whom it was told and who is on
 * it. `inSight`: alerts that are listed above, not those behind "and 3 more". Sprinklers that are only counted stay counted.
 */
export function withoutAlerts(attention: readonly Attention[], inSight: readonly AlertInSight[]): Besides[] {
  return attention.flatMap((one) => {
    const told = devicesOf(one.kind, inSight);
    const devices = one.devices.filter(({ _id }) => !told.has(_id));
    const units = one.units?.filter((id) => told.has(id)).length ?? 0;
    const count = one.count + devices.length - one.devices.length;
    const sprinklers = one.sprinklers - units;
    return count + sprinklers > 0 ? [{ ...one, count, devices, sprinklers, isMore: units > 0 }] : [];
  });
}

const devicesOf = (kind: AttentionKind, inSight: readonly AlertInSight[]): ReadonlySet<string> =>
  new Set(
    inSight.flatMap((incident) =>
      incident.kind === alertOf[kind]
        ? incident.devices.flatMap(({ uid, endedAt }) => (endedAt === null ? [uid] : []))
        : [],
    ),
  );
