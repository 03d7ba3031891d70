import { inhibitedCrc } from '@headrace/device/schedule-crc';

/**
 * How a sprinkler is, as one number: the same on maps, lists and the API. `poi` and `sensor` are markers of other devices,
 * `filtered` is a unit that a map draws faintly. spec 1 §4, spec 2 §4.7
 */
export const conditions = {
  inhibited: -1,
  ok: 0,
  outOfContact: 1,
  error: 2,
  poi: 3,
  sensor: 4,
  outOfService: 5,
  /** Just made of a point of interest, from a spare that was ready. */
  convertedSpare: 7,
  active: 1000,
  filtered: 1001,
} as const;
export type Condition = (typeof conditions)[keyof typeof conditions];
type ConditionName = keyof typeof conditions;
export const conditionNames = Object.keys(conditions) as ConditionName[];

/** A condition as a word; a number that stands for none is ok, as it is drawn. */
export const conditionName = (condition: number): ConditionName =>
  conditionNames.find((name) => conditions[name] === condition) ?? 'ok';

/** Sprinklers without a status for longer are out of contact, days. spec 2 §9 */
export const SPRINKLER_OUT_OF_CONTACT_DAYS = 30;
/** What holds where the gateway has not said its own: %, s. spec 2 §9 */
export const CHARGE_THRESHOLD_PERCENT = 50;
export const CLOCK_THRESHOLD_S = 60;

const DAY = 86_400_000;

export interface SprinklerFacts {
  readonly outOfService: boolean;
  readonly isSpareUnit: boolean;
  /** Of its newest status, epoch ms; null: never heard. */
  readonly statusTime: number | null;
  /** Checksum of the schedule that it holds; null: it has not said. */
  readonly ipcCrc: string | null;
  /** Checksum of what was last sent to it; null: nobody on the farm was sent anything. */
  readonly incCrc: string | null;
  /** What it is to hold is being sent to it, or it took that and has not said so yet. */
  readonly isScheduleComing: boolean;
  /** Seconds that it is fast, negative when slow; null: it has not said. */
  readonly clock: number | null;
  /** %; null: it has not said. */
  readonly charge: number | null;
  /** Of the gateway that hears it: clocks further off are wrong (s), charges below are low (%). */
  readonly clockThreshold: number;
  readonly chargeThreshold: number;
  readonly activeNow: boolean;
  /** Made of a point of interest: what it is taken to be until its next status. `at` in epoch ms. */
  readonly converted: { readonly condition: number; readonly at: number } | null;
}

export interface SprinklerCondition {
  readonly condition: number;
  readonly isOutOfContact: boolean;
  readonly isInhibited: boolean;
  readonly hasBatteryError: boolean;
  readonly hasClockError: boolean;
  readonly hasScheduleError: boolean;
  /** That is because the newer one is still on its way to it: no error. */
  readonly isScheduleComing: boolean;
  readonly hasError: boolean;
}

/**
 * The worst that a person must know, first: out of service or spare, out of contact, inhibited, an error, watering, ok.
 * What is wrong with battery and clock is what was last heard. Only a unit in service and in contact can have a schedule
 * error: of the others nobody expects or knows what they hold. While the newer one is on its way to it, that it says another isn't wrong yet. One that was just made of a point of interest is what the
 * conversion says until it is heard. `now` in epoch ms.
 */
export function sprinklerCondition(facts: SprinklerFacts, now: number): SprinklerCondition {
  const { charge, clock, ipcCrc, incCrc, statusTime } = facts;
  const isInService = !facts.outOfService && !facts.isSpareUnit;
  const isOutOfContact = isSilent(statusTime, now);
  const isInhibited = ipcCrc === inhibitedCrc;
  const hasBatteryError = charge !== null && charge < facts.chargeThreshold;
  const hasClockError = clock !== null && Math.abs(clock) > facts.clockThreshold;
  const isConverted = isJustConverted(facts);
  const isExpected = isInService && !isOutOfContact && !isInhibited && !isConverted;
  const hasScheduleError = isExpected && ipcCrc !== null && incCrc !== null && ipcCrc !== incCrc;
  const isScheduleComing = hasScheduleError && facts.isScheduleComing;
  const hasError = hasBatteryError || hasClockError || (hasScheduleError && !isScheduleComing);
  const errors = { hasBatteryError, hasClockError, hasScheduleError, isScheduleComing, hasError };
  const flags = { isOutOfContact, isInhibited, ...errors };
  if (!isInService) return { ...flags, condition: conditions.outOfService };
  if (isConverted)
    return { ...flags, condition: facts.converted?.condition ?? conditions.error, isOutOfContact: false };
  return { ...flags, condition: inServiceCondition(flags, facts.activeNow) };
}

/** Exactly 30 days is still in contact. */
function isSilent(statusTime: number | null, now: number): boolean {
  return statusTime === null || now >= silentFrom(statusTime);
}

/** When a sprinkler with a status of `statusTime` is out of contact if it isn't heard again, epoch ms. */
export const silentFrom = (statusTime: number): number =>
  statusTime + SPRINKLER_OUT_OF_CONTACT_DAYS * DAY + 1;

/** Nothing was heard of it in its new place. */
function isJustConverted({ converted, statusTime }: SprinklerFacts): boolean {
  return converted !== null && (statusTime === null || statusTime < converted.at);
}

type Flags = Omit<SprinklerCondition, 'condition'>;

function inServiceCondition({ isOutOfContact, isInhibited, hasError }: Flags, activeNow: boolean): Condition {
  if (isOutOfContact) return conditions.outOfContact;
  if (isInhibited) return conditions.inhibited;
  if (hasError) return conditions.error;
  return activeNow ? conditions.active : conditions.ok;
}
