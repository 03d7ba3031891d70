import { USAGE_LIMITS, type UsageLimits } from '@headrace/contract/limits';
import { createFilesMade } from '../../db/files-made.ts';
import type { Core, Feature } from '../../feature.ts';
import { EACH_MINUTE } from '../../jobs/rhythm.ts';
import type { Messages } from '../messages/messages.ts';
import { tellUsage } from './tell-usage.ts';
import { createUsageRepo } from './usage.repo.ts';
import { usageRoutes } from './usage.routes.ts';
import { createUsageService } from './usage.service.ts';

/** What farms write of what they may. */
export function createUsageFeature(
  { db, now }: Core,
  messages: Messages,
  { usageLimits: limits = USAGE_LIMITS }: { usageLimits?: UsageLimits },
): Feature {
  const repo = createUsageRepo(db);
  const service = createUsageService(repo, limits, createFilesMade(db));
  return {
    routes: (mount) => usageRoutes(mount, service),
    jobs: [
      {
        name: 'limits of farms',
        everyMs: EACH_MINUTE,
        run: () => tellUsage({ db, messages }, limits, now()),
      },
    ],
  };
}
