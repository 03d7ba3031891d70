import type { SprinklerInfo } from '@headrace/contract/sprinkler-info';
import type { Unit } from '../irrigation-devices/farm-units.ts';

/** When a unit said what is known of it; what another one said that stood at its place before is not its own. */
export function reportTimes({ value, factAt }: Pick<Unit, 'value' | 'factAt'>): SprinklerInfo['reportedAt'] {
  const timeOf = (name: string) => {
    const known = value(name);
    return known && known.value !== null ? known.at : null;
  };
  return {
    charge: timeOf('charge'),
    clock: timeOf('clock'),
    checksum: factAt('ipcCrc'),
    entries: timeOf('scheduleNum'),
    cycleDay: timeOf('cycleDay'),
    mode: factAt('mode'),
    hops: timeOf('hops'),
  };
}
