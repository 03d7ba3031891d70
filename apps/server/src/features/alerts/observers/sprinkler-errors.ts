import type { FarmView } from '../farm-view.ts';
import { type Observation, type RuleRow, SCHEDULE_PART, watchesDevice } from '../observation.ts';
import { classOf } from '../rule-life.ts';

/** Each error of a sprinkler is an episode of its own. The sentences are those of its dialog. */
const errors = [
  { part: 1, condition: 'clock', flag: 'hasClockError', fault: 'The ipc has a clock error!' },
  { part: 2, condition: 'battery', flag: 'hasBatteryError', fault: 'The battery charge is very low!' },
  {
    part: SCHEDULE_PART,
    condition: 'schedule',
    flag: 'hasScheduleError',
    fault: 'The ipc has a schedule error!',
  },
] as const;

/** Clock, battery and schedule of sprinklers in service. Of one that is out of contact nothing new is known. */
export async function observeErrors(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const units = await view.units();
  const wanted = errors.filter(({ condition }) => rule.condition === 'any' || rule.condition === condition);
  return units.flatMap(({ row, status }) => {
    if (!watchesDevice(rule, row.id) || status.outOfService || status.isSpareUnit) return [];
    const at = status.statustime || view.now;
    return wanted.map(({ part, flag, fault }) => ({
      deviceId: row.id,
      part,
      facts: { name: row.name, fault },
      seen: [
        {
          side: status.isOutOfContact
            ? ('unknown' as const)
            : status[flag]
              ? ('in' as const)
              : ('out' as const),
          at,
          value: null,
          class: classOf(rule, 'important'),
        },
      ],
    }));
  });
}
