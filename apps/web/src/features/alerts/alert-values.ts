import type { Alert, AlertEntry } from '@headrace/contract/alerts';
import { alertFault } from '@headrace/contract/rules/alerts/alert-form';
import { type AlertKind, alertKindInfo, hasHold } from '@headrace/contract/rules/alerts/alert-kinds';
import { type EnteredNumber, enteredNumber } from '../../forms/fields.tsx';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import type { FieldErrors } from '../../forms/use-record-form.ts';
import { alertClassLabels } from '../../device-records/open-alerts.ts';
import { conditionLabels } from './alert-labels.ts';

/** An alert as it stands in its form. */
export interface AlertValues {
  name: string;
  enabled: boolean;
  kind: AlertKind;
  deviceIds: string[];
  condition: Alert['condition'];
  value: EnteredNumber;
  clearValue: EnteredNumber;
  holdMinutes: EnteredNumber;
  class: Alert['class'];
  watch: Alert['watch'];
  inputs: number[];
  people: string[];
  /** Null: nobody else is told where nobody answers. */
  escalateMin: EnteredNumber;
  escalatePeople: string[];
}

/** What a new alert of a kind begins with. */
export function newAlert(kind: AlertKind): AlertValues {
  const { label, conditions, usual, holdMin, watches } = alertKindInfo[kind];
  const condition = (conditions[0] ?? 'any') as Alert['condition'];
  return {
    name: label,
    enabled: true,
    kind,
    deviceIds: [],
    condition,
    value: usual[condition] ?? null,
    clearValue: null,
    holdMinutes: holdMin,
    class: null,
    watch: kind === 'OutOfContact' || kind === 'InputChange' ? (watches[0] ?? null) : null,
    inputs: [],
    people: [],
    escalateMin: null,
    escalatePeople: [],
  };
}

export const valuesOf = (alert: Alert): AlertValues => {
  const { name, enabled, kind, deviceIds, condition, value, clearValue, holdMinutes, watch, inputs } = alert;
  return {
    name,
    enabled,
    kind,
    deviceIds,
    condition,
    value,
    clearValue,
    holdMinutes,
    class: alert.class,
    watch,
    inputs,
    people: alert.people,
    escalateMin: alert.escalation?.afterMinutes ?? null,
    escalatePeople: alert.escalation?.people ?? [],
  };
};

export function entryOf(values: AlertValues): Omit<AlertEntry, 'farmUID'> & { deviceIds: string[] } {
  const { escalateMin, escalatePeople, ...entered } = values;
  const afterMinutes = enteredNumber(escalateMin);
  return {
    ...entered,
    escalation: afterMinutes === null ? null : { afterMinutes, people: escalatePeople },
    value: enteredNumber(values.value),
    clearValue: enteredNumber(values.clearValue),
    holdMinutes: hasHold(values.kind, values.condition) ? (enteredNumber(values.holdMinutes) ?? 0) : 0,
  };
}

export function validateAlert(values: AlertValues): FieldErrors {
  const hold = enteredNumber(values.holdMinutes);
  if (hold === null || !Number.isInteger(hold) || hold < 0 || hold > 7 * 1440)
    return { holdMinutes: 'Please give whole minutes, up to 7 days (10080).' };
  const after = enteredNumber(values.escalateMin);
  if (
    values.escalateMin !== null &&
    (after === null || !Number.isInteger(after) || after < 1 || after > 1440)
  )
    return { escalateMin: 'Please give whole minutes, from 1 to 1440.' };
  const fault = alertFault(entryOf(values));
  return fault ? { [fault.field]: fault.text } : {};
}

const peopleCount = (uids: readonly string[]) => (uids.length === 0 ? 'everybody' : `${uids.length} chosen`);
const yesNo = (is: boolean) => (is ? 'On' : 'Off');
const number = (value: EnteredNumber) => (value === null ? 'as usual' : String(value));

export const alertFieldLabels: FieldLabels<AlertValues> = {
  name: { label: 'Name' },
  enabled: { label: 'Alert', text: yesNo },
  kind: { label: 'What', text: (kind) => alertKindInfo[kind].label },
  deviceIds: { label: 'Devices', text: (ids) => (ids.length === 0 ? 'all' : `${ids.length} chosen`) },
  condition: { label: 'When', text: (condition) => conditionLabels[condition] },
  value: { label: 'Value', text: number },
  clearValue: { label: 'Over at', text: number },
  holdMinutes: { label: 'For', text: (value) => `${value} min` },
  class: { label: 'How urgent', text: (of) => (of === null ? 'as usual' : alertClassLabels[of]) },
  watch: { label: 'Kind of device', text: (of) => of ?? 'all' },
  inputs: { label: 'Inputs', text: (inputs) => inputs.join(', ') },
  people: { label: 'Who is told', text: peopleCount },
  escalateMin: { label: 'More people after', text: (value) => (value === null ? 'never' : `${value} min`) },
  escalatePeople: { label: 'Whom besides', text: peopleCount },
};
