import type { ReplyOf } from '@headrace/contract/endpoint';
import type { GroupInfo } from '@headrace/contract/groups';
import type { groupUnits, MapUnit } from '@headrace/contract/map-units';
import { fromUnitRow } from '@headrace/contract/rules/unit-rows';
import { summariseSprinklers } from '@headrace/contract/rules/sprinkler-counts';
import { withChanges } from '../../api/with-changes.ts';

/** What a map of a group, or of the whole farm, shows. */
export interface MapGroup extends Omit<GroupInfo, 'ipcs' | 'props'> {
  readonly ipcs: MapUnit[];
  /** Of the reply that it is from; null: changed here since, so that all is asked for again. */
  readonly version: string | null;
}

type Reply = ReplyOf<typeof groupUnits>;

/** What a reply makes of the group as it was known; null: sprinklers have left it, and who they are isn't known. */
export function toMapGroup({ units, isWhole, total, ...others }: Reply, known?: MapGroup): MapGroup | null {
  const changes = { rows: units.map(fromUnitRow), isWhole, total };
  const ipcs = withChanges(known?.ipcs, changes, ({ id }) => id);
  return ipcs && { ...others, ipcs, ...summariseSprinklers(ipcs) };
}
