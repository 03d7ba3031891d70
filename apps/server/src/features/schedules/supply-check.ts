import { beyondSupply } from '@headrace/contract/rules/schedule/find-conflicts';
import { findingText } from '@headrace/contract/rules/schedule/finding-labels';
import { DAY_MINUTES, type Finding, type PlanUnit } from '@headrace/contract/rules/schedule/plan';
import { millimetresPerMinute } from '@headrace/contract/rules/water-application';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { readTurns, type SetTurn } from './set-standing.ts';
import type { SupplyService } from './supply.service.ts';
import type { TemplatesService } from './templates.service.ts';

/** What a stored set asks of the farm's water supply beyond what that gives now: a sentence each. It may have been made before the supply was entered. */
export function createSupplyCheck(
  db: Db,
  { details }: Pick<TemplatesService, 'details'>,
  supplies: Pick<SupplyService, 'of'>,
) {
  return async (farm: FarmRow, setId: number): Promise<string[]> => {
    const supply = await supplies.of(farm);
    const { maxLps, windows, avoid, mains } = supply;
    if (maxLps === null && windows.length + avoid.length + mains.length === 0) return [];
    const [{ groups, walConfig }, turns] = await Promise.all([
      details(farm),
      readTurns(db, farm.id, [setId]),
    ]);
    const waterOf = new Map(groups.map((group) => [group.uid, group.walConfig]));
    const units = turns.map(({ deviceId, groupUid }): PlanUnit => {
      const water = waterOf.get(groupUid) ?? walConfig;
      const [id, lps, mmPerMin] = [String(deviceId), water.sprinklerFlow, millimetresPerMinute(water)];
      return { id, name: '', serial: '', lps, mmPerMin };
    });
    return oneOfEach(beyondSupply({ runs: turns.flatMap(runsOf), cycleMin: cycleOf(turns) }, units, supply));
  };
}

/** Lines that are outside the hours are told by the first of them: a farm may have sixty. */
function oneOfEach(findings: readonly Finding[]): string[] {
  const kinds = new Map<string, Finding[]>();
  for (const finding of findings) {
    const kind = `${finding.code} ${finding.main ?? ''}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), finding]);
  }
  return [...kinds.values()].flatMap(([first, ...more]) => {
    if (!first) return [];
    const others =
      more.length === 0 ? '' : ` So ${more.length === 1 ? 'does 1 more' : `do ${more.length} more`}.`;
    return [`${findingText(first)}${others}`];
  });
}

const runsOf = ({ deviceId, groupUid, scheduleGroup, entries }: SetTurn) =>
  entries.map((entry) => ({ unit: String(deviceId), group: groupUid, scheduleGroup, ...entry }));

const cycleOf = (turns: readonly SetTurn[]) =>
  turns.some(({ entries }) => entries.some(({ cycle }) => cycle > 1)) ? 2 * DAY_MINUTES : DAY_MINUTES;
