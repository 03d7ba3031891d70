import { gatewayRadio } from '@headrace/contract/radio-health';
import type { Core, Feature } from '../../feature.ts';
import { requireKind } from '../devices/device-entries.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { dayText } from '../farm-clock/day-text.ts';
import { historyRange } from '../series/history-range.ts';
import { createRadioHealthRepo } from './radio-health.repo.ts';

/** How gateways' units answered over the radio. */
export function createRadioHealthFeature({ db }: Core): Feature {
  const radio = createRadioHealthRepo(db);
  return {
    routes: (mount) =>
      mount(gatewayRadio, async ({ farm: { farm }, device, query, now }) => {
        requireKind(device, 'gateway');
        const zone = toZone(farm);
        const asked = { days: query.period, stopAt: query.stopAt };
        const { from, to } = historyRange(zone, asked, now.getTime());
        const key = { farmId: farm.id, gatewayId: device.id };
        return { days: await radio.days(key, dayText(zone, from), dayText(zone, to - 1)) };
      }),
  };
}
