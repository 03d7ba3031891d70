import {
  cloneTemplate,
  computeTemplate,
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  scheduleFarmDetails,
  updateTemplate,
} from '@headrace/contract/schedule-templates';
import type { AccessGate } from '../../http/access-gate.ts';
import type { Mount } from '../../http/mount.ts';
import { byOf } from '../devices/replies.ts';
import { withSmallUids } from './design-checks.ts';
import type { TemplatesService } from './templates.service.ts';

export function templatesRoutes(
  mount: Mount,
  templates: TemplatesService,
  access: Pick<AccessGate, 'farmByTemplate'>,
): void {
  mount(scheduleFarmDetails, ({ farm }) => templates.details(farm.farm));
  mount(listTemplates, async ({ farm }) => ({ schedules: await templates.list(farm.farm) }));
  mount(getTemplate, ({ farm, query }) => templates.get(farm.farm, query.templateUID));
  mount(createTemplate, (call) => templates.create(call.farm.farm, withSmallUids(call.body), byOf(call)));
  mount(updateTemplate, (call) => templates.update(call.farm.farm, withSmallUids(call.body), byOf(call)));
  mount(deleteTemplate, (call) => templates.remove(call.farm.farm, call.query.templateUID, byOf(call)));
  mount(computeTemplate, ({ farm, body }) => templates.compute(farm.farm, withSmallUids(body)));
  mount(cloneTemplate, async (call) => {
    const { caller, body, now } = call;
    const from = await access.farmByTemplate(caller, body.templateUID.toLowerCase(), now);
    return templates.clone(call.farm.farm, from, body, byOf(call));
  });
}
