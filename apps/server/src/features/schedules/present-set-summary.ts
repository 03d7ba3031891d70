import type { SetSummary } from '@headrace/contract/schedule-sets';
import { type FarmGroup, groupsOf } from './present-set.ts';
import { differencesOf, type FarmNow, type SetTurn, standingOf } from './set-standing.ts';
import { inUseText, type SetUsage } from './set-usage.ts';
import type { SetGroupRow, SetRow } from './sets.repo.ts';

/** What is known beside a set's own row. */
export interface AroundSet {
  readonly groups: readonly SetGroupRow[];
  readonly farmGroups: readonly FarmGroup[];
  readonly usage: SetUsage | undefined;
  /** Null: not asked for. */
  readonly now: { readonly farm: FarmNow; readonly turns: readonly SetTurn[] } | null;
}

const DAY_MINUTES = 1440;

export function toSummary(row: SetRow, { groups, farmGroups, usage, now }: AroundSet): SetSummary {
  const isSent = usage !== undefined && (usage.isCurrent || usage.isWanted);
  return {
    _id: row.uid,
    name: row.name,
    isCurrent: usage?.isCurrent ?? false,
    groups: groupsOf(groups, farmGroups),
    settings: { cycleLen: row.cycleMinutes ?? DAY_MINUTES },
    figures: row.figures,
    template: templateOf(row),
    isByHand: row.isByHand,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    replacedBy: row.replacedBy,
    findings: row.findings,
    standing: now && isSent ? standingOf(row, now.turns, now.farm) : null,
    differences: now ? differencesOf(now.turns, now.farm) : null,
    inUse: inUseText(usage),
  };
}

function templateOf(row: SetRow): SetSummary['template'] {
  const { templateName, templateVersion, templateNow, isTemplateDeleted } = row;
  if (templateName === null || templateVersion === null) return null;
  return {
    uid: isTemplateDeleted ? null : row.templateUid,
    name: templateName,
    version: templateVersion,
    newestVersion: isTemplateDeleted ? null : templateNow,
  };
}
