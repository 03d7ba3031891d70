/** Units that decoded payloads use, turned into the metric's own: `value × factor + shift`. Factors are exact by definition. */
type Conversion = { readonly factor: number; readonly shift: number };

const times = (factor: number): Conversion => ({ factor, shift: 0 });
const same = times(1);

const conversions: Record<string, Record<string, Conversion>> = {
  mm: { mm: same, cm: times(10), m: times(1000), in: times(25.4), ft: times(304.8) },
  V: { V: same, mV: times(0.001) },
  'L/min': {
    'L/min': same,
    'L/s': times(60),
    'L/h': times(1 / 60),
    'm3/h': times(1000 / 60),
    'm³/h': times(1000 / 60),
  },
  kPa: {
    kPa: same,
    cbar: same,
    cb: same,
    Pa: times(0.001),
    hPa: times(0.1),
    mbar: times(0.1),
    bar: times(100),
    psi: times(6.894757293168),
  },
  '°C': {
    '°C': same,
    C: same,
    '°F': { factor: 5 / 9, shift: -160 / 9 },
    F: { factor: 5 / 9, shift: -160 / 9 },
    K: { factor: 1, shift: -273.15 },
  },
  min: { min: same, s: times(1 / 60), h: times(60) },
  '0-1': { '0-1': same, '%': times(0.01) },
  // 0.2 mm of rain a tip.
  'tips of 0.2 mm': { tips: same, mm: times(5), in: times(127) },
  pulses: { pulses: same },
  '%': { '%': same, '0-1': times(100), 'm3/m3': times(100), 'm³/m³': times(100) },
  'µS/cm': { 'µS/cm': same, 'uS/cm': same, 'mS/cm': times(1000), 'dS/m': times(1000), 'mS/m': times(10) },
  L: { L: same, m3: times(1000), 'm³': times(1000), kL: times(1000), mL: times(0.001) },
  'm/s': { 'm/s': same, 'km/h': times(1 / 3.6), kn: times(1852 / 3600) },
};

/** No unit means the metric's own; `null` when there is no way from one to the other. */
export function unitFactor(from: string | undefined, to: string): Conversion | null {
  if (from === undefined || from === '' || from === to) return same;
  const known = Object.hasOwn(conversions, to) ? conversions[to] : undefined;
  return known && Object.hasOwn(known, from) ? (known[from] ?? null) : null;
}
