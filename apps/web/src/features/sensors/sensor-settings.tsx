import { TOAST_MS } from '@headrace/contract/limits';
import { newSensorSettings } from '@headrace/contract/rules/sensor-settings';
import { sensorTypes, tankTypes } from '@headrace/contract/sensor-types';
import { serverNow } from '../../api/server-time.ts';
import { DayField } from '../../forms/day-field.tsx';
import { FormSection, NumberField, SelectField, SwitchField, TextField, Wide } from '../../forms/fields.tsx';
import { toast } from '../../ui/toasts.ts';
import {
  clamped,
  type EnteredSettings,
  type NumberName,
  settingLabels,
  type SettingName,
  settingsOfType,
  type TextName,
} from './entered-settings.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import helpClasses from './tank-help.module.css';

const TankHelp = lazyPart(() => import('./tank-help.tsx').then((m) => m.TankHelp), {
  failed: "The drawing of a tank's heights couldn't be loaded",
  waiting: <div className={helpClasses.space} />,
  isLine: true,
});

export interface SensorSettingsProps {
  type: number;
  value: EnteredSettings;
  onChange: (value: EnteredSettings) => void;
  error: (name: string) => string | undefined;
  touch: (name: string) => void;
}

const units: Partial<Record<NumberName, string>> = {
  offset: 'mm',
  height: 'mm',
  toplevel: 'mm',
  volume: 'L',
  litrePerPulse: 'L',
};
const hints: Partial<Record<NumberName, string>> = {
  offset: 'From the floor of the tank up to the sensor.',
  height: 'From the floor to the rim.',
  toplevel: 'Water when the tank is full; at most offset + 3000 mm.',
  volume: 'Water when the tank is full.',
};
const textLabels: Record<TextName, string> = {
  unit: 'Unit shown',
  sensorSerialNumber: 'Serial number of the probe',
  swp1_name: 'Name of soil sensor 1',
  swp2_name: 'Name of soil sensor 2',
  swp3_name: 'Name of soil sensor 3',
  swp4_name: 'Name of soil sensor 4',
};

const directions = [
  { value: '0', label: 'Tank Inlet' },
  { value: '1', label: 'Tank Outlet' },
];

/** The settings that a type of sensor has. A value out of bounds is brought back into them, with a warning. */
export function SensorSettingsFields(props: SensorSettingsProps) {
  const { type, value, onChange, touch } = props;
  const isShown = (name: SettingName) =>
    type !== sensorTypes.TLM_V3 ||
    value.enabledFlow ||
    (name !== 'litrePerPulse' && name !== 'flowDirection');
  const settle = (name: SettingName) => {
    touch(`settings.${name}`);
    const { values, warnings } = clamped(type, value, new Date(serverNow()));
    if (warnings.length === 0) return;
    onChange(values);
    for (const { field, message } of warnings)
      toast.notice(message, { id: `setting-${field}`, durationMs: TOAST_MS.action });
  };
  return (
    <FormSection title="Settings">
      {tankTypes.includes(type) && (
        <Wide>
          <TankHelp />
        </Wide>
      )}
      {settingsOfType(type)
        .filter(isShown)
        .map((name) => (
          <Setting key={name} {...props} name={name} onLeft={() => settle(name)} />
        ))}
    </FormSection>
  );
}

interface SettingProps extends SensorSettingsProps {
  name: SettingName;
  onLeft: () => void;
}

function Setting({ name, type, value, onChange, error, onLeft }: SettingProps) {
  const patch = (change: Partial<EnteredSettings>) => onChange({ ...value, ...change });
  const field = { name: `settings.${name}`, error: error(`settings.${name}`), onBlur: onLeft };
  switch (name) {
    case 'enabledFlow':
      return (
        <SwitchField
          {...field}
          label="Flow meter"
          hint="A meter counts what goes through the tank's inlet or outlet."
          value={value.enabledFlow}
          onChange={(enabledFlow) => patch({ enabledFlow, ...meterOf(enabledFlow, value) })}
        />
      );
    case 'flowDirection':
      return (
        <SelectField
          {...field}
          label="Flow direction"
          options={directions}
          value={value.flowDirection}
          onChange={(flowDirection) => patch({ flowDirection })}
        />
      );
    case 'sensorInstallDate':
      return (
        <DayField
          {...field}
          label="Installed on"
          value={dayOf(value.sensorInstallDate)}
          onChange={(day) => patch({ sensorInstallDate: timeOf(day) })}
        />
      );
    case 'unit':
    case 'sensorSerialNumber':
    case 'swp1_name':
    case 'swp2_name':
    case 'swp3_name':
    case 'swp4_name':
      return (
        <TextField
          {...field}
          label={textLabels[name]}
          maxLength={name === 'unit' ? 16 : 40}
          value={value[name]}
          onChange={(typed) => patch({ [name]: typed })}
        />
      );
    case 'offset':
    case 'height':
    case 'toplevel':
    case 'volume':
    case 'litrePerPulse':
    case 'spfactor':
    case 'temp_channel':
      return (
        <NumberField
          {...field}
          {...numberLabels(name, type)}
          isWhole={name === 'spfactor' || name === 'temp_channel'}
          value={value[name]}
          onChange={(typed) => patch({ [name]: typed })}
        />
      );
    default:
      return name satisfies never;
  }
}

/** The offset of an analog flow meter is where its signal stands at rest. */
function numberLabels(name: NumberName, type: number) {
  if (name === 'offset' && type === sensorTypes.FLOW_ANALOG) return { label: 'Zero value' };
  const hint = tankTypes.includes(type) ? hints[name] : undefined;
  return { label: settingLabels[name], unit: units[name], hint };
}

/** Switched on, the meter is at the inlet; switched off, it has no direction. spec 1 §4 */
const meterOf = (enabledFlow: boolean, { litrePerPulse }: EnteredSettings) => ({
  flowDirection: enabledFlow ? '0' : '',
  litrePerPulse: litrePerPulse ?? newSensorSettings(sensorTypes.TLM_V3).litrePerPulse ?? null,
});

const TIME = /^\d{4}-\d{2}-\d{2}T/;
/** The calendar day of a time on this machine's clock, and back; what is no day stays as it was typed. */
function dayOf(time: string): string {
  if (!time) return '';
  const at = new Date(time);
  if (!TIME.test(time) || Number.isNaN(at.getTime())) return time;
  const two = (n: number) => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
const timeOf = (day: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))
    ? new Date(`${day}T00:00`).toISOString()
    : day;
