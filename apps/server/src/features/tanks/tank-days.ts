import type { Timezone } from '@headrace/contract/farms';
import { addDays } from '@headrace/contract/rules/farm-time';
import { isValidLevel, levelPercent, tankShape } from '@headrace/contract/rules/tank';
import type { TankDay, TankDays } from '@headrace/contract/rules/tank-days';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { sortedByName } from '../devices/sorted-by-name.ts';
import { dayText } from '../farm-clock/day-text.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import { extremesOfValid, rounded } from '../series/row-values.ts';
import type { Range } from '../series/rollup-query.ts';
import type { Amount } from './tank-usage.ts';
import type { ReadTankUsage } from './tank-usage-reader.ts';
import type { TanksRepo } from './tanks.repo.ts';

/** Levels and usage of all tanks of a farm by day. */
export function createTankDays(tanks: TanksRepo, usage: ReadTankUsage) {
  return {
    /** By name; `range` in whole days of the farm, up to now at most. One tank after the other: nobody else waits for a hundred. */
    async days(farm: FarmRow, range: Range): Promise<TankDays[]> {
      const zone = toZone(farm);
      const all: TankDays[] = [];
      for (const device of sortedByName(await tanks.tanks(farm.id)))
        all.push({ uid: device.uid, name: device.name, days: await daysOf(zone, device, range) });
      return all;
    },
  };

  async function daysOf(zone: Timezone, device: DeviceRow, range: Range): Promise<TankDay[]> {
    const [{ series }, amounts] = await Promise.all([
      tanks.device(device, ['levelMm'], { span: 'day', range }),
      usage(zone, device, 'day', range),
    ]);
    const shape = tankShape(device.settings);
    const levels = new Map(series('levelMm').rows.map((row) => [row.at, row]));
    const used = new Map(amounts.map((amount) => [amount.at, amount]));
    const days: TankDay[] = [];
    for (let at = range.from; at < range.to; at = addDays(zone, at, 1)) {
      const row = levels.get(at);
      const read = row ? extremesOfValid(row, (mm) => isValidLevel(shape, mm)) : null;
      const percent = (mm: number | undefined) => {
        const value = levelPercent(shape, mm ?? null);
        return value === null ? null : rounded(value);
      };
      const amount = used.get(at);
      days.push({
        day: dayText(zone, at),
        lowest: percent(read?.lowest),
        highest: percent(read?.highest),
        used: amount ? rounded(amount.litres) : null,
        source: amount?.source ?? null,
        isShared: amount?.isShared ?? false,
        isWhole:
          amount !== undefined &&
          (amount.isShared || isWhole(amount, { from: at, to: addDays(zone, at, 1) })),
      });
    }
    return days;
  }
}

/** Of a day that is not over, or at an end of which a device was silent for hours, a part is known. */
const isWhole = ({ firstAt, lastAt }: Pick<Amount, 'firstAt' | 'lastAt'>, { from, to }: Range): boolean =>
  firstAt - from <= END_MS && to - lastAt <= END_MS;
/** As long as a level is taken for that of now, and as late as a report may be. */
const END_MS = 3.5 * 3_600_000;
