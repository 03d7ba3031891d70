import { setImmediate as breathe } from 'node:timers/promises';
import type { IpcStatus } from '@headrace/contract/groups';
import { batteryForecast, FORECAST_DAYS } from '@headrace/contract/rules/battery-forecast';
import { conditions } from '@headrace/contract/rules/condition';
import { addDays, dayStart } from '@headrace/contract/rules/farm-time';
import { isPossible } from '@headrace/contract/rules/metric-limits';
import { WALK_DAYS, type WalkList, type WalkStop } from '@headrace/contract/walk-list';
import type { FarmRow } from '../../db/schema.ts';
import type { ChargeLimits } from '../battery-life/battery-life.service.ts';
import { chargeSince, replacedAt } from '../devices/battery.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { BatteryRow, WalkListRepo } from './walk-list.repo.ts';

type Why = WalkStop['why'][number];

/** How a farm's sprinklers are, and below how many percent a battery is low. */
export interface WalkSource {
  units(farm: FarmRow, now: Date): Promise<readonly IpcStatus[]>;
  limits: ChargeLimits;
}

const DAY_MS = 86_400_000;
const canBe = isPossible('charge');
/** Forecasts of so many units are a few milliseconds: between them others get their turn. */
const AT_A_TIME = 200;

export function createWalkListService(walks: WalkListRepo, sprinklers: WalkSource) {
  return {
    /** Where somebody has to go, in no order. Who is spare or out of service needs nobody in the field. */
    async of(farm: FarmRow, { hasRepeaters }: { hasRepeaters: boolean }, now: Date): Promise<WalkList> {
      const zone = toZone(farm);
      const today = dayStart(zone, now.getTime());
      const range = { from: addDays(zone, today, -FORECAST_DAYS), to: today };
      const [units, rows, limitsOf] = await Promise.all([
        sprinklers.units(farm, now),
        walks.batteries(farm.id, range),
        sprinklers.limits(farm.id),
      ]);
      const status = new Map(units.map((unit) => [unit.id, unit]));
      const stops: WalkStop[] = [];
      for (const [index, row] of rows.entries()) {
        if (index % AT_A_TIME === AT_A_TIME - 1) await breathe();
        const unit = row.kind === 'sprinkler' ? status.get(row.uid) : undefined;
        const isThere =
          row.kind === 'repeater' ? hasRepeaters : unit && unit.condition !== conditions.outOfService;
        const why = isThere ? whyOf(row, unit, limitsOf(row.gateway_id).charge, today) : [];
        if (why.length > 0) stops.push(toStop(row, unit, why));
      }
      return { at: now.getTime(), stops };
    },
  };
}

const plain = (kind: Why['kind'], since: number | null = null): Why => ({ kind, since, due: null });

/** The worst first. A battery's last word of before it fell silent still counts: it may be why. */
function whyOf(row: BatteryRow, unit: IpcStatus | undefined, threshold: number, today: number): Why[] {
  const charge = chargeSince(row);
  const isLow = charge !== null && charge < threshold;
  return [
    ...(unit?.belief?.state === 'openOverdue' ? [plain('openOverdue', unit.belief.until)] : []),
    ...(isLow ? [plain('batteryLow')] : dueOf(row, threshold, today)),
    ...(unit?.isOutOfContact ? [plain('outOfContact', unit.statustime || null)] : []),
  ];
}

/** Today is day 0, yesterday -1. Days before its battery was changed are another battery's. */
function dueOf(row: BatteryRow, threshold: number, today: number): Why[] {
  const since = Math.max(row.changed_at ?? 0, Date.parse(replacedAt(row) ?? '1970-01-01'));
  const days = row.days.flatMap(([at, lowest]) =>
    at >= since && canBe(lowest) ? [{ day: Math.round((at - today) / DAY_MS), lowest }] : [],
  );
  const due = batteryForecast(days, threshold, 0);
  if (!due || due.days > WALK_DAYS) return [];
  const { days: left, earliest, latest, confidence } = due;
  return [{ kind: 'batteryDue', since: null, due: { days: left, earliest, latest, confidence } }];
}

function toStop(row: BatteryRow, unit: IpcStatus | undefined, why: Why[]): WalkStop {
  const { uid, kind, name, serial_number, lat, lng } = row;
  const charge = chargeSince(row);
  return {
    id: uid,
    device: kind,
    name,
    serialNumber: serial_number,
    groups: [...(unit?.groups ?? [])],
    location: lat === null || lng === null ? null : { lat, lng },
    why,
    charge,
    chargeAt: charge === null ? null : row.charge_at,
  };
}
