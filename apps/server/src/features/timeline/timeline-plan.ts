import { findingText } from '@headrace/contract/rules/schedule/finding-labels';
import { programmeOf } from '@headrace/contract/rules/schedule/programme';
import { planTemplate } from '@headrace/contract/rules/schedule/template-plan';
import type { Timeline } from '@headrace/contract/timeline';
import type { FarmRow } from '../../db/schema.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { groupBy } from '../../group-by.ts';
import type { ScheduleSet } from '../schedules/schedule-sets.ts';
import type { PlannedUnit } from './as-if-held.ts';
import type { SetRow, TimelineRepo } from './timeline.repo.ts';
import type { TimelineParts } from './timeline.service.ts';

const DAY_MINUTES = 1440;

/** `units`: what each is to hold, by uid; null: what each holds. */
export type Plan = Timeline['plan'] & { readonly units: ReadonlyMap<string, readonly PlannedUnit[]> | null };
interface AskedPlan {
  readonly setUID?: string | undefined;
  readonly templateUID?: string | undefined;
}

/** By which plan the farm is looked at: a set, a template, or what sprinklers hold. */
export function planReader(repo: TimelineRepo, parts: Pick<TimelineParts, 'sets' | 'templates'>) {
  async function setPlan(farm: FarmRow, uid: string): Promise<Plan> {
    const set = await parts.sets.byUid(farm.id, uid);
    if (!set) throw notFound('This farm has no such schedule set.');
    const rows = await repo.setUnits(farm.id, set.id);
    const uidOf = await repo.uidsOf(
      farm.id,
      rows.map(({ deviceId }) => deviceId),
    );
    const cycleDays = cycleDaysOf(set, rows);
    const planned = rows.map(({ deviceId, line, entries }) => ({
      uid: uidOf.get(deviceId) ?? '',
      line,
      programme: {
        entries: entries.map((entry) => ({ ...entry, start: entry.start % DAY_MINUTES })),
        cycleDays,
      },
    }));
    return { of: 'set', name: set.name, units: byUid(planned) };
  }

  /** Throws invalid where it can't be. */
  async function templatePlan(farm: FarmRow, uid: string): Promise<Plan> {
    const [template, details] = await Promise.all([
      parts.templates.get(farm, uid),
      parts.templates.details(farm),
    ]);
    const planned = planTemplate(details, template);
    if (!planned.ok) {
      const [worst] = planned.findings;
      throw invalid(worst ? findingText(worst) : 'This template can’t be planned.', 'templateUID');
    }
    const { cycleMin, runs } = planned.plan;
    const units = runs.map((run) => ({
      uid: run.unit,
      line: run.scheduleGroup,
      programme: programmeOf([run], cycleMin),
    }));
    return { of: 'template', name: template.name, units: byUid(units) };
  }

  return async (farm: FarmRow, { setUID, templateUID }: AskedPlan): Promise<Plan> => {
    if (setUID !== undefined) return setPlan(farm, setUID.toLowerCase());
    if (templateUID !== undefined) return templatePlan(farm, templateUID);
    return { of: 'held', name: '', units: null };
  };
}

interface PlannedRow extends PlannedUnit {
  readonly uid: string;
}
const byUid = (rows: readonly PlannedRow[]): Plan['units'] =>
  new Map(groupBy(rows, ({ uid }) => uid).map((ofUnit) => [ofUnit[0]?.uid ?? '', ofUnit]));

const cycleDaysOf = ({ cycleMinutes }: ScheduleSet, rows: readonly SetRow[]): number =>
  cycleMinutes === null
    ? rows.flatMap(({ entries }) => entries).reduce((most, { cycle }) => Math.max(most, cycle), 1)
    : Math.max(1, Math.ceil(cycleMinutes / DAY_MINUTES));
