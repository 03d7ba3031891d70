import { GATEWAY_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { farmCalendar } from '@headrace/contract/rules/active-now';
import {
  CHARGE_THRESHOLD_PERCENT,
  CLOCK_THRESHOLD_S,
  SPRINKLER_OUT_OF_CONTACT_DAYS,
  sprinklerCondition,
} from '@headrace/contract/rules/condition';
import { isTakenAsOpen, valveBelief } from '@headrace/contract/rules/valve-belief';
import { wateringClock } from '../farm-clock/farm-zone.ts';
import { isScheduleComing } from '../sprinklers/programme.ts';
import { scheduleOf } from '../sprinklers/present-status.ts';
import { valveFactsOf } from '../sprinklers/valve-facts.ts';
import type { FoundDevice } from './search.repo.ts';

const DAY_MS = 86_400_000;

export interface UnitState {
  readonly outOfComm: boolean;
  readonly inhibited: boolean;
  readonly error: boolean;
  readonly isActive: boolean;
}

/** How a device is, by what it last said; of a sprinkler as everywhere else. It is active while it waters. */
export function unitState(device: FoundDevice, now: Date): UnitState {
  const outOfComm = isSilent(device, now);
  if (device.kind !== 'sprinkler') return { outOfComm, inhibited: false, error: false, isActive: false };
  const calendar = farmCalendar(wateringClock(device), now.getTime());
  const schedule = scheduleOf(device, { calendar, isScheduled: device.is_scheduled });
  const valve = valveFactsOf(device, schedule.programme, calendar);
  const isActive = isTakenAsOpen(valveBelief(valve, now.getTime()));
  const { isInhibited, hasError, isOutOfContact } = sprinklerCondition(
    {
      outOfService: device.out_of_service,
      isSpareUnit: device.is_spare,
      statusTime: device.status_at,
      ipcCrc: device.ipc_crc,
      incCrc: schedule.crc,
      isScheduleComing: isScheduleComing(device),
      clock: device.clock,
      charge: device.charge,
      clockThreshold: device.clock_threshold ?? CLOCK_THRESHOLD_S,
      chargeThreshold: device.charge_threshold ?? CHARGE_THRESHOLD_PERCENT,
      activeNow: isActive,
      converted: null,
    },
    now.getTime(),
  );
  return { outOfComm: isOutOfContact, inhibited: isInhibited, error: hasError && !isOutOfContact, isActive };
}

function isSilent({ kind, status_at }: FoundDevice, now: Date): boolean {
  if (kind === 'poi') return false;
  return status_at === null || now.getTime() - status_at > silence[kind];
}

/** Silent for longer is out of contact, ms. A sensor is unreachable then. */
const silence = {
  sprinkler: SPRINKLER_OUT_OF_CONTACT_DAYS * DAY_MS,
  repeater: SPRINKLER_OUT_OF_CONTACT_DAYS * DAY_MS,
  gateway: GATEWAY_OUT_OF_CONTACT_MS,
  sensor: DAY_MS,
} as const;
