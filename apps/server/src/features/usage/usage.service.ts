import type { ReplyOf } from '@headrace/contract/endpoint';
import { CODECS_PER_FARM, FILES_A_DAY, type UsageLimits } from '@headrace/contract/limits';
import type { accountUsage, farmUsage } from '@headrace/contract/usage';
import { type FilesMade, nextDay } from '../../db/files-made.ts';
import type { Caller, FarmAccess } from '../../http/access-gate.ts';
import { letterBounds } from '../readings/letter-bounds.ts';
import { dayOf } from '../readings/usage-writer.ts';
import type { UsageRepo } from './usage.repo.ts';

export function createUsageService(repo: UsageRepo, limits: UsageLimits, files: FilesMade) {
  return {
    async ofFarm({ farmId }: FarmAccess, now: Date): Promise<ReplyOf<typeof farmUsage>> {
      const [used, series, codecs, keptBytes] = await Promise.all([
        repo.ofFarm(farmId, dayOf(now)),
        repo.series(farmId),
        repo.codecs(farmId),
        repo.keptBytes(farmId),
      ]);
      return {
        resetsAt: nextDay(now).toISOString(),
        readings: {
          today: used.readings,
          refused: used.refused,
          limit: limits.farmReadingsADay,
          accountToday: used.ofAccount,
          accountLimit: limits.accountReadingsADay,
        },
        series: { count: series, limit: limits.farmSeries },
        codecs: { count: codecs, limit: CODECS_PER_FARM },
        letters: { today: used.letters, keptBytes, limitBytes: letterBounds.bytesPerFarm },
      };
    },

    async ofAccount({ accountId }: Caller, now: Date): Promise<ReplyOf<typeof accountUsage>> {
      return {
        resetsAt: nextDay(now).toISOString(),
        files: { today: await files.today(accountId, now), limit: FILES_A_DAY },
      };
    },
  };
}
export type UsageService = ReturnType<typeof createUsageService>;
