import type { SetSummary } from '@headrace/contract/schedule-sets';
import type { ScheduleTemplate } from '@headrace/contract/schedule-templates';
import { call } from '../../api/client.ts';

/** Has the server compute a template as it is saved, and keeps the result as a set of the farm. */
export async function storeSet(template: ScheduleTemplate): Promise<SetSummary> {
  const { _id, version, farmUID, name, settings, windy, leveling, startMin, limits = null } = template;
  const groups = template.groups.map(({ name: _name, isGone: _isGone, ...group }) => group);
  const design = { name, groups, settings, windy, leveling, startMin, limits };
  const { findings: _findings, ...computed } = await call('POST /schedule-template/compute', {
    body: { farmUID, templateUID: _id, templateVersion: version, ...design },
  });
  return call('POST /schedules/create', { body: computed });
}
