import { MAX_RUN_MINUTES } from '../limits.ts';
import { sensorConfigTypes, sensorTypes, tankTypes } from '../sensor-types.ts';

export interface PumpFault {
  readonly field: 'lowSetpoint' | 'highSetpoint' | 'maxRunTime';
  readonly message: string;
}

/**
 * One sentence for each field that is wrong; none when they can be sent. Setpoints in percent: the pump starts at the low
 * one and stops at the high one. `maxRunTime` in minutes, 0 = no limit. spec 2 §5
 */
export function pumpFaults(pump: {
  readonly lowSetpoint: number;
  readonly highSetpoint: number;
  readonly maxRunTime: number;
}): PumpFault[] {
  const { lowSetpoint, highSetpoint, maxRunTime } = pump;
  const faults: PumpFault[] = [];
  if (!isPercent(lowSetpoint))
    faults.push({ field: 'lowSetpoint', message: 'The low setpoint must be from 0 to 100 %.' });
  if (!isPercent(highSetpoint))
    faults.push({ field: 'highSetpoint', message: 'The high setpoint must be from 0 to 100 %.' });
  if (faults.length === 0 && lowSetpoint >= highSetpoint)
    faults.push({
      field: 'lowSetpoint',
      message: 'The low setpoint must be below the high setpoint. Please lower it, or raise the high one.',
    });
  if (!Number.isInteger(maxRunTime) || maxRunTime < 0 || maxRunTime > MAX_RUN_MINUTES)
    faults.push({
      field: 'maxRunTime',
      message: `The max run time must be a whole number from 0 to ${MAX_RUN_MINUTES} minutes (0: no limit).`,
    });
  return faults;
}

const isPercent = (value: number) => Number.isFinite(value) && value >= 0 && value <= 100;

/** What can be set by radio on a sensor of this type: numbers of `sensorConfigTypes`. */
export function configTypesOf(sensorType: number): readonly number[] {
  const { D100_PumpControl, D100_FlowReset, LegacyTlm_PumpControl } = sensorConfigTypes;
  if (sensorType === sensorTypes.TLM_V3) return [D100_PumpControl, D100_FlowReset];
  return tankTypes.includes(sensorType) ? [LegacyTlm_PumpControl] : [];
}
