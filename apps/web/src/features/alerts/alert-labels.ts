import type { Alert } from '@headrace/contract/alerts';
import type { SnoozeTime } from '@headrace/contract/rules/alerts/snooze-times';
import {
  alertKindInfo,
  hasHold,
  isOfFarm,
  silenceMin,
  usualClear,
  type WatchedDevice,
} from '@headrace/contract/rules/alerts/alert-kinds';

export const snoozeLabels: Readonly<Record<SnoozeTime, string>> = {
  hour: 'for an hour',
  morning: 'until 06:00',
  tomorrow: 'until tomorrow 18:00',
};

export const deviceLabels: Readonly<Record<WatchedDevice, readonly [one: string, all: string]>> = {
  gateway: ['gateway', 'gateways'],
  sprinkler: ['sprinkler', 'sprinklers'],
  tank: ['tank', 'tanks'],
  soil: ['soil site', 'soil sites'],
  switch: ['switch', 'switches'],
  meter: ['flow meter', 'flow meters'],
  farm: ['farm', 'farm'],
  sensor: ['sensor', 'sensors'],
  repeater: ['repeater', 'repeaters'],
};

export const conditionLabels: Readonly<Record<Alert['condition'], string>> = {
  below: 'below',
  above: 'above',
  'longer than': 'longer than',
  within: 'within',
  none: 'none, while sprinklers water',
  on: 'goes on',
  off: 'goes off',
  either: 'goes on or off',
  any: 'any error',
  clock: 'a clock error',
  battery: 'a low battery',
  schedule: 'a schedule error',
};

export const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

/** 15 min, 3 h, 30 days. */
export function minutesText(minutes: number): string {
  if (minutes < 120 || minutes % 60 !== 0) return `${minutes} min`;
  return minutes < 2880 || minutes % 1440 !== 0 ? `${minutes / 60} h` : `${minutes / 1440} days`;
}

type Worded = Pick<
  Alert,
  'kind' | 'condition' | 'value' | 'holdMinutes' | 'clearValue' | 'watch' | 'deviceIds' | 'inputs'
>;

/** "Tell me when Trough 4 or Trough 5 is below 20 % for 15 min." `names`: of the chosen devices. */
export function alertSentence(alert: Worded, names: readonly string[]): string {
  if (isOfFarm(alert.kind)) return `Tell me when ${ofFarmText(alert)}.`;
  const isHeld = alert.holdMinutes > 0 && hasHold(alert.kind, alert.condition);
  const hold = isHeld ? ` for ${minutesText(alert.holdMinutes)}` : '';
  return `Tell me when ${whoText(alert, names)} ${isText(alert)}${hold}.`;
}

/** Where it is over, where that is a value. */
export function clearText({ kind, condition, value, clearValue }: Worded): string | null {
  const clear = value === null ? null : (clearValue ?? usualClear(kind, condition, value));
  return clear === null
    ? null
    : `It is over at ${Number(clear.toFixed(1))} ${alertKindInfo[kind].value?.unit}.`;
}

function whoText({ kind, watch, deviceIds, inputs }: Worded, names: readonly string[]): string {
  const of = inputs.length > 0 ? `input ${inputs.join(' or ')} of ` : '';
  if (deviceIds.length === 0) return `${of}any ${kindsOf(kind, watch)}`;
  const named = names.slice(0, 3).join(', ');
  const more = deviceIds.length - Math.min(3, names.length);
  return `${of}${named}${more > 0 ? ` or ${more} more` : ''}`;
}

const kindsOf = (kind: Alert['kind'], watch: WatchedDevice | null) =>
  watch === null
    ? alertKindInfo[kind].watches.map((one) => deviceLabels[one][0]).join(' or ')
    : deviceLabels[watch][0];

function isText({ kind, condition, value, watch }: Worded): string {
  const unit = alertKindInfo[kind].value?.unit ?? '';
  switch (kind) {
    case 'TankLow':
    case 'TankHigh':
    case 'SoilMoisture':
      return `is ${condition} ${value ?? '…'} ${unit}`;
    case 'TankLeak':
      return 'loses water that nobody is known to draw';
    case 'LowBattery':
      return 'has a low battery';
    case 'OutOfContact':
      return `is not heard for ${value === null ? silenceText(watch) : minutesText(value)}`;
    case 'SprinklerError':
      return `has ${conditionLabels[condition]}`;
    case 'InputChange':
      return conditionLabels[condition];
    case 'PumpRuns':
      return 'has a pump that runs while the level does not rise';
    case 'EmptySoon':
      return `may be empty within ${value ?? '…'} days`;
    case 'Flow':
      return condition === 'none'
        ? 'shows no flow while three sprinklers or more water'
        : `is ${condition} ${value ?? '…'} ${unit}`;
    case 'Missed':
    case 'Frost':
    case 'Rain':
    case 'CommandFailed':
    case 'TakeLimit':
    case 'TakeGap':
      return ofFarmText({ kind, value });
    case 'ValveOpen':
      return 'should have closed its valve and did not say so';
    default:
      return kind satisfies never;
  }
}

/** Of the farm as a whole. */
function ofFarmText({ kind, value }: Pick<Worded, 'kind' | 'value'>): string {
  const limit = value ?? '…';
  if (kind === 'Missed')
    return `more than ${limit} % of a group's sprinklers missed their watering, or were cut short`;
  if (kind === 'Frost') return `the forecast says less than ${limit} °C for today or tomorrow`;
  if (kind === 'Rain') return `the forecast says more than ${limit} mm of rain for today or tomorrow`;
  if (kind === 'TakeLimit')
    return `a water take has used ${limit} % of what may be taken in a day, seven days or a year, or is above it or above its rate`;
  if (kind === 'TakeGap')
    return 'at 18:00 quarters of an hour of a water take are missing of yesterday, and its meter is silent still';
  return 'a command to several sprinklers failed, or ran out of time, for some of them';
}

function silenceText(watch: WatchedDevice | null): string {
  if (watch === null) return 'longer than is usual for it';
  if (watch === 'gateway' || watch === 'sprinkler') return minutesText(silenceMin[watch]);
  return watch === 'repeater' ? minutesText(silenceMin.sprinkler) : minutesText(silenceMin.tank);
}
