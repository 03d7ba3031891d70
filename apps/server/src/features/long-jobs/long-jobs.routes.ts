import { cancelLongJob, getLongJob, listLongJobs } from '@headrace/contract/long-jobs';
import type { Mount } from '../../http/mount.ts';
import type { LongJobsService } from './long-jobs.service.ts';

export function longJobsRoutes(mount: Mount, jobs: LongJobsService): void {
  mount(listLongJobs, async ({ farm }) => ({ jobs: await jobs.ofFarm(farm.farmId) }));
  mount(getLongJob, ({ caller, query }) => jobs.own(query.id, caller.accountId));
  mount(cancelLongJob, ({ caller, body, now }) => jobs.cancel(body.id, caller.accountId, now));
}
