import type { GroupInfo, IpcStatus, SprinklerCounts } from '../groups.ts';
import { conditions } from './condition.ts';
import { isOk, needsAttention } from './sprinkler-filter.ts';

type Counted = Pick<
  IpcStatus,
  'condition' | 'isOutOfContact' | 'hasBatteryError' | 'hasClockError' | 'hasScheduleError'
>;

const isInService = ({ condition }: Counted) => condition !== conditions.outOfService;

/**
 * Of the units in service, each once in ok, failed, attention or inhibited; active ones are among the ok.
 * `failed` are out of contact.
 */
export function countSprinklers(
  units: readonly (Counted & Pick<IpcStatus, 'statustime'>)[],
): SprinklerCounts {
  const count = (is: (unit: (typeof units)[number]) => boolean) => units.filter(is).length;
  return {
    failed: count(({ condition }) => condition === conditions.outOfContact),
    neverContacted: count(
      ({ condition, statustime }) => condition === conditions.outOfContact && statustime === 0,
    ),
    ok: count(isOk),
    inhibited: count(({ condition }) => condition === conditions.inhibited),
    active: count(({ condition }) => condition === conditions.active),
    attention: count(needsAttention),
    total: count(isInService),
  };
}

type Summary = Pick<
  GroupInfo,
  'numberOfIpcs' | 'ipcsOOC' | 'ipcsActive' | 'ipcsClock' | 'ipcsCharge' | 'ipcsSched' | 'ipcsSpare'
>;

/** The summary of a map: units in service, those of them with each trouble while in contact, and all the others as spares. */
export function summariseSprinklers(units: readonly Counted[]): Summary {
  const inService = units.filter(isInService);
  const heard = inService.filter(({ isOutOfContact }) => !isOutOfContact);
  const count = (wanted: number) => inService.filter(({ condition }) => condition === wanted).length;
  return {
    numberOfIpcs: inService.length,
    ipcsOOC: count(conditions.outOfContact),
    ipcsActive: count(conditions.active),
    ipcsClock: heard.filter(({ hasClockError }) => hasClockError).length,
    ipcsCharge: heard.filter(({ hasBatteryError }) => hasBatteryError).length,
    ipcsSched: heard.filter(({ hasScheduleError }) => hasScheduleError).length,
    ipcsSpare: units.length - inService.length,
  };
}
