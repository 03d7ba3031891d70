import { farmCalendar, lastRun } from '@headrace/contract/rules/active-now';
import type { FarmCalendar } from '@headrace/contract/rules/active-now';
import { graceMs, type ValveFacts, type ValveRun } from '@headrace/contract/rules/valve-belief';
import { inhibitedCrc } from '@headrace/device/schedule-crc';
import { cycleAt, type WateringProgramme } from './programme.ts';

/** What commands did to a valve, or may have done. Times in epoch ms. */
export interface ValveOrders {
  readonly opening: ValveFacts['opening'];
  readonly unansweredUntil: number | null;
  readonly unansweredClosesBy: number | null;
}

/** What is known of a unit, as far as its valve goes. Times in epoch ms, of facts as they are kept. */
export interface ValveRow {
  readonly status_at: number | null;
  readonly clock: number | null;
  readonly valve: number | null;
  readonly valve_at: number | null;
  /** Since when its reports say open; empty: they say closed. */
  readonly open_since: string | null;
  readonly valve_off: string | null;
  readonly ipc_crc: string | null;
  readonly valve_orders: ValveOrders | null;
}

/** What the belief about a unit's valve rests on: runs are those of `programme`. */
export function valveFactsOf(
  row: ValveRow,
  programme: WateringProgramme,
  calendar: FarmCalendar,
): ValveFacts {
  const said = valveReportOf(row);
  return {
    said,
    heardAt: row.status_at,
    clockS: row.clock,
    run: runAt(programme, calendar),
    firstReportRun: said?.isOpen ? coveringRun(programme, calendar, said.since, graceMs(row.clock)) : null,
    lastReportRun: said?.isOpen ? coveringRun(programme, calendar, said.at, graceMs(row.clock)) : null,
    opening: row.valve_orders?.opening ?? null,
    unansweredUntil: row.valve_orders?.unansweredUntil ?? null,
    unansweredClosesBy: row.valve_orders?.unansweredClosesBy ?? null,
    offAt: row.valve_off ? Date.parse(row.valve_off) : null,
    held: programme.held,
    isInhibited: row.ipc_crc === inhibitedCrc,
  };
}

function valveReportOf({ valve, valve_at: at, open_since }: ValveRow): ValveFacts['said'] {
  if (valve === null || at === null) return null;
  const isOpen = valve > 0;
  const since = isOpen && open_since ? Date.parse(open_since) : at;
  return { isOpen, at, since: Math.min(since, at) };
}

function runAt(programme: WateringProgramme, calendar: FarmCalendar): ValveRun | null {
  const cycle = cycleAt(programme, calendar);
  return cycle && lastRun(calendar, programme.entries, cycle);
}

/** The run that was under way at `at`, give or take `grace`. */
function coveringRun(
  programme: WateringProgramme,
  { zone }: FarmCalendar,
  at: number,
  grace: number,
): ValveRun | null {
  const run = runAt(programme, farmCalendar(zone, at + grace));
  return run && run.endAt + grace >= at ? run : null;
}
