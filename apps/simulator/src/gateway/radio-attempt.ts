import { commandTypes } from '@headrace/device/commands';
import { hash32 } from '@headrace/demo/random';
import type { LiveContext } from '../live-context.ts';
import type { LiveSensors } from '../live-sensors.ts';
import type { LiveUnits } from '../live-units.ts';
import { noiseAt } from '../models/noise.ts';
import type { GatewayState, RadioJob } from './gateway-state.ts';
import type { UnitReply } from './radio.ts';

interface AttemptParts {
  readonly mac: string;
  readonly own: Pick<GatewayState, 'radio'>;
  readonly units: LiveUnits;
  readonly sensors: LiveSensors;
  readonly carryOut: (job: RadioJob) => UnitReply;
}

/** One try of a gateway's radio to have a job done: null without an answer. */
export function createAttempt(context: LiveContext, { mac, own, units, sensors, carryOut }: AttemptParts) {
  const { faults } = context;
  const { radioLoss } = context.radio;

  function isInReach({ cmdId, mac: unitMac, attempts, task }: RadioJob): boolean {
    const { value: loss } = faults.get(unitMac, 'radio-loss') ??
      faults.get(mac, 'radio-loss') ?? { value: radioLoss };
    if (noiseAt(hash32(`${cmdId}:${unitMac}`), attempts) < loss) return false;
    if (task.kind === 'config') return isSensorHeard(unitMac);
    // A unit is replaced because it is broken: the new one answers for it.
    const asked = task.kind === 'command' && task.type === commandTypes.Replace ? task.payload.mac : unitMac;
    const place = units.find(unitMac)?.place.unit;
    if (place?.gatewayMac !== mac) return false;
    return asked === unitMac ? units.isHeard(unitMac) : !faults.get(String(asked), 'out-of-contact');
  }

  function isSensorHeard(sensorMac: string): boolean {
    return sensors.find(sensorMac)?.profile.gatewayMac === mac && !faults.get(sensorMac, 'out-of-contact');
  }

  function attempt(job: RadioJob): UnitReply | null {
    if (!isInReach(job)) return null;
    const reply = job.isDone ? units.report(job.mac, false) : carryOut(job);
    // Whatever else the unit did before, and was not heard of, may be undone by this.
    for (const other of own.radio) if (other.mac === job.mac) delete other.isDone;
    job.isDone = true;
    return faults.get(job.mac, 'no-ack') ? null : reply;
  }

  return attempt;
}
