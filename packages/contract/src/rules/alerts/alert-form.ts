import type { AlertEntry } from '../../alerts.ts';
import { alertKindInfo, hasValue } from './alert-kinds.ts';

export interface AlertFault {
  readonly field: string;
  readonly text: string;
}

/** What is wrong with an alert as it was entered, in a sentence that names the remedy; null: nothing. */
export function alertFault(entry: Omit<AlertEntry, 'farmUID' | 'deviceIds'>): AlertFault | null {
  const info = alertKindInfo[entry.kind];
  const { condition, value, clearValue = null, watch = null, inputs = [] } = entry;
  if (entry.name.trim() === '') return { field: 'name', text: 'Please give the alert a name.' };
  if (!info.conditions.includes(condition))
    return { field: 'condition', text: `${info.label} can be ${info.conditions.join(', ')}.` };
  if (watch !== null && !info.watches.includes(watch))
    return { field: 'watch', text: `${info.label} can't watch that kind of device.` };
  if (entry.kind === 'InputChange' && watch === 'gateway' && inputs.length === 0)
    return { field: 'inputs', text: 'Please choose at least one input of the gateway.' };
  if (info.value === null || !hasValue(entry.kind, condition))
    return value === null ? null : { field: 'value', text: `${info.label} has no value.` };
  const { min, max, unit } = info.value;
  // Out of contact has a limit for each kind of device where none is given.
  if (value === null && entry.kind === 'OutOfContact') return null;
  if (value === null || value < min || value > max)
    return { field: 'value', text: `Please give a value from ${min} to ${max} ${unit}.` };
  return clearFault(entry.kind, condition, value, clearValue);
}

function clearFault(
  kind: AlertEntry['kind'],
  condition: string,
  value: number,
  clearValue: number | null,
): AlertFault | null {
  const { clear, value: of } = alertKindInfo[kind];
  if (clearValue === null) return null;
  const unit = of?.unit ?? '';
  if (!clear) return { field: 'clearValue', text: 'This alert ends by itself: it has no end value.' };
  const isRight = condition === 'above' ? clearValue <= value : clearValue >= value;
  if (isRight && clearValue >= clear.min && clearValue <= clear.max) return null;
  const side = condition === 'above' ? `from ${clear.min} to ${value}` : `from ${value} to ${clear.max}`;
  return {
    field: 'clearValue',
    text: `It ends on the other side: please give an end value ${side} ${unit}.`,
  };
}
