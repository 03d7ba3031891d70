import { commsModes } from '../comms-modes.ts';
import { LEGACY_TANK } from '../limits.ts';
import { sensorTypes, tankTypes } from '../sensor-types.ts';
import type { SensorSettings } from '../sensors.ts';

/** A tank is at most this much deeper than what its sensor doesn't see, mm. spec 1 §5 */
export const TOPLEVEL_OVER_OFFSET_MM = 3000;
/** No measure of a tank is more, mm: the tallest bolted steel tanks stand 15 m. */
export const TANK_MAX_MM = 20_000;
/** The largest bulk meters give a pulse for 100 m³. */
export const LITRES_PER_PULSE_MAX = 100_000;
/** Of a new sensor: mm, mm, mm, litres, radio factor, litres. spec 1 §9 */
export const NEW_TANK = {
  offset: 500,
  height: 3000,
  toplevel: 2500,
  volume: 30_000,
  spfactor: 10,
  litrePerPulse: 10,
} as const;
/** spec 1 §9 */
export const NEW_SENSOR_CHANNEL = 3;
export const NEW_SENSOR_SPFACTOR = 10;

const TANK_INLET = 0;

export interface SettingsWarning {
  readonly field: keyof SensorSettings;
  readonly message: string;
}

/** What a new sensor of this type begins with, besides what is entered: a tank's rim isn't below the top level that is. */
export function newSensorSettings(type: number, { toplevel = 0 }: SensorSettings = {}): SensorSettings {
  if (!tankTypes.includes(type)) return { spfactor: NEW_SENSOR_SPFACTOR };
  return { ...NEW_TANK, height: Math.max(NEW_TANK.height, toplevel) };
}

const digitsOf = (mac: string) => mac.replaceAll(/[\s:.-]/g, '');
/** A DevEUI has 16 digits, and so have the MACs of some radio units; 12 digits are never a DevEUI. */
export const mayBeLorawan = (macAddress: string): boolean => digitsOf(macAddress).length === 16;

/** How a sensor is reached that nobody has set a comms mode for. */
export const firstCommsMode = (macAddress: string): number =>
  mayBeLorawan(macAddress) ? commsModes.LoRa : commsModes.Local;

/**
 * The settings as they may be, with a warning in the specification's words for each value that had to be changed. The form
 * shows both; the server takes nothing that has a warning. Members that aren't given stay away; `toplevel` is compared with the
 * offset of a sensor that has none of its own, too.
 */
export function clampSensorSettings(
  type: number,
  given: SensorSettings,
  now: Date,
): { settings: SensorSettings; warnings: SettingsWarning[] } {
  const settings = { ...given, ...meterOf(type, given) };
  const warnings: SettingsWarning[] = [];
  const change = <Field extends keyof SensorSettings>(
    field: Field,
    value: SensorSettings[Field],
    message: string,
  ) => {
    settings[field] = value;
    if (!warnings.some((warning) => warning.field === field)) warnings.push({ field, message });
  };
  for (const { field, bound, message } of lowestOf(type))
    if (isBelow(settings[field], bound)) change(field, bound, message);
  for (const { field, bound, message } of highestOf(type))
    if (isBelow(bound, settings[field])) change(field, bound, message);
  const fullAtMost = (settings.offset ?? LEGACY_TANK.offset) + TOPLEVEL_OVER_OFFSET_MM;
  if (tankTypes.includes(type) && settings.toplevel !== undefined && settings.toplevel > fullAtMost)
    change('toplevel', fullAtMost, 'Top water level can not be greater than offset + 3000 mm');
  if (tankTypes.includes(type)) fitTank(settings, change);
  if (settings.sensorInstallDate && Date.parse(settings.sensorInstallDate) > now.getTime())
    change('sensorInstallDate', now.toISOString(), 'Sensor install date can not be in the future');
  return { settings, warnings };
}

/** Floor, sensor, top level and rim stand above each other in this order; what isn't given is not judged. */
function fitTank(
  { offset, toplevel: full, height }: SensorSettings,
  change: (field: Bounded, value: number, message: string) => void,
): void {
  if (full === undefined) return;
  const toplevel = Math.min(full, TANK_MAX_MM);
  if (toplevel < full) change('toplevel', toplevel, `Top water level can not be more than ${TANK_MAX_MM} mm`);
  if (height !== undefined && height < toplevel)
    change('height', toplevel, 'Tank height can not be less than the top water level');
  if (offset !== undefined && offset >= toplevel)
    change('offset', toplevel - 1, 'Offset must be less than the top water level');
}

type Bounded = 'offset' | 'height' | 'toplevel' | 'volume' | 'litrePerPulse';
interface Bound {
  readonly field: Bounded;
  readonly bound: number;
  readonly message: string;
}

const tankHighest: readonly Bound[] = [
  { field: 'offset', bound: TANK_MAX_MM, message: `Offset can not be more than ${TANK_MAX_MM} mm` },
  { field: 'height', bound: TANK_MAX_MM, message: `Tank height can not be more than ${TANK_MAX_MM} mm` },
];
const highest: readonly Bound[] = [
  {
    field: 'litrePerPulse',
    bound: LITRES_PER_PULSE_MAX,
    message: `Volume per pulse can not be more than ${LITRES_PER_PULSE_MAX}`,
  },
];
const highestOf = (type: number) => (tankTypes.includes(type) ? [...highest, ...tankHighest] : highest);

const lowest: readonly Bound[] = [
  { field: 'offset', bound: 0, message: 'Offset can not be less than 0' },
  { field: 'volume', bound: 0, message: 'Tank volume can not be less than 0' },
  { field: 'height', bound: 0, message: 'Tank height can not be less than 0' },
  { field: 'litrePerPulse', bound: 1, message: 'Volume per pulse can not be less than 1' },
];
const lowestOfAnalogFlow = lowest.map((rule) =>
  rule.field === 'offset' ? { ...rule, message: 'Zero value can not be less than 0' } : rule,
);

const lowestOf = (type: number) => (type === sensorTypes.FLOW_ANALOG ? lowestOfAnalogFlow : lowest);
const isBelow = (value: number | undefined, bound: number | undefined) =>
  value !== undefined && bound !== undefined && value < bound;

/** A flow meter on a TLM_V3 counts at the tank's inlet unless said; without the meter there is no direction. */
function meterOf(type: number, { enabledFlow, flowDirection }: SensorSettings): SensorSettings {
  if (type !== sensorTypes.TLM_V3 || enabledFlow === undefined) return {};
  return { flowDirection: enabledFlow ? (flowDirection ?? TANK_INLET) : null };
}
