import type { SoilSite } from '@headrace/contract/soil-moisture';
import type { Probe } from '../../charts/soil-series.ts';

/** The first two have names in the sensor's settings; the others are numbered. */
export function probeName(
  probe: Probe,
  { swp1_name, swp2_name }: Pick<SoilSite, 'swp1_name' | 'swp2_name'>,
): string {
  const names: Record<Probe, string> = {
    swp1: swp1_name,
    swp2: swp2_name,
    swp3: 'Sensor 3',
    swp4: 'Sensor 4',
  };
  return names[probe];
}
