import { clampSensorSettings, type SettingsWarning } from '@headrace/contract/rules/sensor-settings';
import { sensorTypes, tankTypes } from '@headrace/contract/sensor-types';
import type { SensorSettings } from '@headrace/contract/sensors';
import { type EnteredNumber, enteredNumber } from '../../forms/fields.tsx';
import type { FieldErrors } from '../../forms/use-record-form.ts';

const numberNames = [
  'offset',
  'height',
  'toplevel',
  'volume',
  'litrePerPulse',
  'spfactor',
  'temp_channel',
] as const;
const textNames = ['unit', 'sensorSerialNumber', 'swp1_name', 'swp2_name', 'swp3_name', 'swp4_name'] as const;
export type NumberName = (typeof numberNames)[number];
export type TextName = (typeof textNames)[number];

/** A sensor's settings as they stand in the form. */
export type EnteredSettings = Readonly<Record<NumberName, EnteredNumber>> &
  Readonly<Record<TextName, string>> & {
    readonly enabledFlow: boolean;
    /** 0 Tank Inlet, 1 Tank Outlet; empty: none. */
    readonly flowDirection: string;
    /** ISO time; empty: not known. */
    readonly sensorInstallDate: string;
  };
export type SettingName = keyof EnteredSettings;

const tank: readonly SettingName[] = [
  'offset',
  'height',
  'toplevel',
  'volume',
  'unit',
  'sensorInstallDate',
  'sensorSerialNumber',
];
const soil: readonly SettingName[] = ['temp_channel', 'swp1_name', 'swp2_name', 'swp3_name', 'swp4_name'];

/** Which settings a type of sensor has. spec 1 §3 */
export function settingsOfType(type: number): readonly SettingName[] {
  if (type === sensorTypes.TLM_V3)
    return [...tank, 'enabledFlow', 'flowDirection', 'litrePerPulse', 'spfactor'];
  if (tankTypes.includes(type)) return [...tank, 'spfactor'];
  if (type === sensorTypes.SOIL_MOISTURE) return [...soil, 'spfactor'];
  if (type === sensorTypes.FLOW_ANALOG) return ['offset', 'spfactor'];
  const isCounted = type === sensorTypes.FLOW || type === sensorTypes.FLOW_PULSE;
  return isCounted ? ['litrePerPulse', 'spfactor'] : ['spfactor'];
}

export function entered(settings: SensorSettings): EnteredSettings {
  const numbers = Object.fromEntries(numberNames.map((name) => [name, settings[name] ?? null]));
  const texts = Object.fromEntries(textNames.map((name) => [name, settings[name] ?? '']));
  return {
    ...(numbers as Record<NumberName, EnteredNumber>),
    ...(texts as Record<TextName, string>),
    enabledFlow: settings.enabledFlow ?? false,
    flowDirection: String(settings.flowDirection ?? ''),
    sensorInstallDate: settings.sensorInstallDate ?? '',
  };
}

/** What is sent: what the type has, and of that what was entered. */
export function sentSettings(type: number, values: EnteredSettings): SensorSettings {
  const names = new Set<string>(settingsOfType(type));
  const numbers = numberNames.flatMap((name) => {
    const value = enteredNumber(values[name]);
    return value === null ? [] : [[name, value] as const];
  });
  const all = {
    ...Object.fromEntries(numbers),
    ...Object.fromEntries(textNames.map((name) => [name, values[name].trim()])),
    enabledFlow: values.enabledFlow,
    flowDirection: values.flowDirection === '' ? null : Number(values.flowDirection),
    sensorInstallDate: values.sensorInstallDate || null,
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)));
}

/** The settings as they may be, and what was wrong. Only what the type has is looked at. */
export function clamped(
  type: number,
  values: EnteredSettings,
  now: Date,
): { values: EnteredSettings; warnings: SettingsWarning[] } {
  const given = finite(sentSettings(type, values));
  const { settings, warnings } = clampSensorSettings(type, given, now);
  const changes = Object.fromEntries(warnings.map(({ field }) => [field, settings[field]]));
  return { values: { ...values, ...changes }, warnings };
}

/** What isn't a number yet is a validation error, not clamped. */
const finite = (settings: SensorSettings): SensorSettings =>
  Object.fromEntries(
    Object.entries(settings).filter(([, value]) => typeof value !== 'number' || Number.isFinite(value)),
  );

export const settingLabels: Record<NumberName, string> = {
  offset: 'Offset',
  height: 'Tank height',
  toplevel: 'Top water level',
  volume: 'Tank volume',
  litrePerPulse: 'Volume per pulse',
  spfactor: 'Spreading factor',
  temp_channel: 'Temperature channel',
};

/** Smallest and largest that the record takes where no sentence of the specification says so. */
const bounds: Partial<Record<NumberName, readonly [number, number]>> = {
  toplevel: [1, 1e9],
  spfactor: [1, 255],
  temp_channel: [0, 16],
};

export function validateSettings(type: number, values: EnteredSettings, now: Date): FieldErrors {
  const names = new Set(settingsOfType(type));
  const fieldErrors: Record<string, string> = {};
  for (const name of numberNames.filter((each) => names.has(each))) {
    const value = enteredNumber(values[name]);
    const [least, most] = bounds[name] ?? [-1e9, 1e9];
    if (value === null) continue;
    if (!Number.isFinite(value)) fieldErrors[`settings.${name}`] = `${settingLabels[name]} must be a number.`;
    else if (value < least || value > most)
      fieldErrors[`settings.${name}`] = `${settingLabels[name]} must be from ${least} to ${most}.`;
  }
  for (const { field, message } of clamped(type, values, now).warnings)
    fieldErrors[`settings.${field}`] ??= `${message}.`;
  return fieldErrors;
}
