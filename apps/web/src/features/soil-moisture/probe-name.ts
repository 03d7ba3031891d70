import type { SoilSite } from '@headrace/contract/soil-moisture';
import type { SoilProbe } from '@headrace/contract/rules/soil-moisture';

/** The first two have names in the sensor's settings; the others are numbered. */
export function probeName(
  probe: SoilProbe,
  { swp1_name, swp2_name }: Pick<SoilSite, 'swp1_name' | 'swp2_name'>,
): string {
  const names: Record<SoilProbe, string> = {
    swp1: swp1_name,
    swp2: swp2_name,
    swp3: 'Sensor 3',
    swp4: 'Sensor 4',
  };
  return names[probe];
}
