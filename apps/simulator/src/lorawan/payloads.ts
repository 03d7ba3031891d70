import type { FieldMapping } from '@headrace/device/field-mapping';
import type { SensorValues } from '@headrace/device/metrics';
import { parsePath } from '@headrace/device/paths';
import type { LorawanFormat } from '@headrace/demo/profile';

/** What a sensor's own codec would have decoded: the mapping, backwards. */
export function decodedObject(values: SensorValues, mapping: FieldMapping): object {
  const object: Record<string, unknown> = {};
  for (const { path, metric, scale = 1, offset = 0, text } of mapping) {
    // `metric` may be one of our own names or a custom one; only the first are measured here.
    const value = (values as Record<string, number | boolean | null | undefined>)[metric];
    if (value === undefined) continue;
    const word = text && Object.entries(text).find(([, meaning]) => meaning === value)?.[0];
    const raw =
      word ?? (typeof value === 'number' ? Math.round(((value - offset) / scale) * 1e6) / 1e6 : value);
    // The mappings of simulated sensors name members alone.
    const names = parsePath(path)?.map((step) => (typeof step === 'string' ? step : step.text));
    place(object, names ?? [path], raw);
  }
  return object;
}

function place(object: Record<string, unknown>, steps: readonly string[], value: unknown): void {
  const [name = '', ...rest] = steps;
  if (rest.length === 0) object[name] = value;
  else place((object[name] ??= {}) as Record<string, unknown>, rest, value);
}

/** A sensor's bytes in base64, as its maker's payload description lays them out; big-endian words of 16 bits. */
export function encodePayload(format: LorawanFormat, values: SensorValues, serialNumber: string): string {
  return Buffer.from(bytesOf(format, values, serialNumber)).toString('base64');
}

/**
 * Decentlab, protocol 2: version, device id, flags of the blocks that follow, then the blocks. A block that could not be measured is
 * left out with its flag. Checked against the examples in TheThingsNetwork/lorawan-devices.
 */
function bytesOf(format: LorawanFormat, values: SensorValues, serialNumber: string): number[] {
  const measured = format === 'decentlab-dl-ctd10' ? waterBlock(values) : tensionBlock(values);
  const battery = typeof values.batteryV === 'number' ? [values.batteryV * 1000] : null;
  const deviceId = Number(serialNumber.replaceAll(/\D/g, '')) & 0xffff;
  const flags = (measured ? 1 : 0) | (battery ? 2 : 0);
  return [2, ...[deviceId, flags, ...(measured ?? []), ...(battery ?? [])].flatMap(word)];
}

/** DL-CTD10: depth in mm, temperature in 0.1 °C, conductivity in µS/cm, and a flag for ice. */
function waterBlock({ levelMm, temperatureC }: SensorValues): number[] | null {
  if (typeof levelMm !== 'number') return null;
  return [levelMm + 32_768, (temperatureC ?? 12) * 10 + 32_768, 100, 0];
}

/** DL-TRS21: tension in 0.1 kPa, temperature in 0.1 °C. */
function tensionBlock({ swp1Kpa, temperatureC }: SensorValues): number[] | null {
  if (typeof swp1Kpa !== 'number') return null;
  return [swp1Kpa * 10, (temperatureC ?? 0) * 10 + 32_768];
}

function word(value: number): number[] {
  const whole = Math.min(0xffff, Math.max(0, Math.round(value)));
  return [whole >> 8, whole & 0xff];
}
