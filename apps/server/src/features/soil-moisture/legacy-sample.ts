import type { Timezone } from '@headrace/contract/farms';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import type { SoilReading } from '@headrace/contract/soil-moisture';

/** A reading as programs of before know it: with the farm's day and clock at its time, and six sensors. spec 2 §3.9 */
export function legacySample(reading: SoilReading, zone: Timezone): SoilReading {
  const at = Date.parse(reading.dateTime);
  const clock = new Date(at + farmOffsetSeconds(zone, at) * 1000).toISOString();
  return {
    ...reading,
    date: clock.slice(0, 10),
    time: clock.slice(11, 19),
    swp3: reading.swp3 ?? 0,
    swp4: reading.swp4 ?? 0,
    swp5: 0,
    swp6: 0,
  };
}
