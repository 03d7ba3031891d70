import type { IpcStatus } from '@headrace/contract/groups';
import type { Seen } from '@headrace/contract/rules/alerts/alert-life';
import type { FarmView } from '../farm-view.ts';
import { type Observation, type RuleRow, SCHEDULE_PART, watchesDevice } from '../observation.ts';
import { classOf } from '../rule-life.ts';
import type { SentSchedule } from '../sends.repo.ts';

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

/**
 * Clock, battery and schedule of sprinklers in service. Of one that is out of contact nothing new is known. A schedule is wrong since it
 * was told to water by another one at the earliest, and not before that one has reached it: a send takes hours.
 */
export async function observeErrors(view: FarmView, rule: RuleRow): Promise<Observation[]> {
  const wanted = errors.filter(({ condition }) => rule.condition === 'any' || rule.condition === condition);
  const units = (await view.units()).filter(
    ({ row, status }) => watchesDevice(rule, row.id) && !status.outOfService && !status.isSpareUnit,
  );
  const isAsked = wanted.some(({ part }) => part === SCHEDULE_PART);
  const wrong = isAsked ? units.filter(({ status }) => status.hasScheduleError) : [];
  const sent = await view.sentSchedules(wrong.map(({ row }) => row.id));
  return units.flatMap(({ row, status }) =>
    wanted.map(({ part, flag, fault }) => ({
      deviceId: row.id,
      part,
      facts: { name: row.name, fault },
      seen: [
        {
          ...momentOf(status, flag, view.now, part === SCHEDULE_PART ? sent.get(row.id) : undefined),
          value: null,
          class: classOf(rule, 'important'),
        },
      ],
    })),
  );
}

/** `sent`: what it was told to water by, where its schedule is wrong. */
function momentOf(
  status: IpcStatus,
  flag: (typeof errors)[number]['flag'],
  now: number,
  sent: SentSchedule | undefined,
): Pick<Seen, 'side' | 'at'> {
  const at = Math.max(status.statustime || now, sent?.wantedAt ?? 0);
  if (status.isOutOfContact) return { side: 'unknown', at };
  if (!status[flag]) return { side: 'out', at };
  return { side: sent?.isOnItsWay ? 'between' : 'in', at };
}
