import type { GroupInfo } from '@headrace/contract/groups';
import { filterKinds, type FilterKind } from '@headrace/contract/rules/sprinkler-filter';
import { numberText } from '../../ui/format.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import type { Condition } from '../../ui/tokens.ts';
import classes from './group-map.module.css';

interface Tile {
  words: string;
  member: 'numberOfIpcs' | 'ipcsOOC' | 'ipcsActive' | 'ipcsClock' | 'ipcsCharge' | 'ipcsSched' | 'ipcsSpare';
  filter: FilterKind;
  condition: Condition | null;
  /** Also in the phone's bar. */
  isShort?: boolean;
}
const TILES: readonly Tile[] = [
  {
    words: 'Out of Contact',
    member: 'ipcsOOC',
    filter: filterKinds.OutOfContact,
    condition: 'issue',
    isShort: true,
  },
  {
    words: 'Low Battery',
    member: 'ipcsCharge',
    filter: filterKinds.LowBattery,
    condition: 'caution',
    isShort: true,
  },
  { words: 'Clock Error', member: 'ipcsClock', filter: filterKinds.ClockError, condition: 'caution' },
  { words: 'Schedule Issues', member: 'ipcsSched', filter: filterKinds.ScheduleIssues, condition: 'caution' },
  { words: 'Active', member: 'ipcsActive', filter: filterKinds.Active, condition: 'watering', isShort: true },
  { words: 'Spares', member: 'ipcsSpare', filter: filterKinds.Spares, condition: null },
  { words: 'In Service', member: 'numberOfIpcs', filter: filterKinds.All, condition: null, isShort: true },
];

export interface GroupSummaryProps {
  info: GroupInfo | undefined;
  filter: FilterKind;
  onFilter: (filter: FilterKind) => void;
  isCompact?: boolean;
}

/** How many need a person, and why. Each count filters by what it counts; once more shows all. */
export function GroupSummary({ info, filter, onFilter, isCompact = false }: GroupSummaryProps) {
  return (
    <ul className={classes.tiles} data-compact={isCompact || undefined} aria-label="Summary">
      {TILES.filter(({ isShort }) => isShort || !isCompact).map((tile) => {
        const count = info?.[tile.member];
        const condition = (count ?? 0) > 0 ? tile.condition : null;
        return (
          <li key={tile.words}>
            <button
              type="button"
              className={classes.tile}
              aria-pressed={filter === tile.filter}
              data-condition={condition ?? undefined}
              onClick={() => onFilter(filter === tile.filter ? filterKinds.All : tile.filter)}
            >
              <b className="num">
                {condition && <ConditionDot condition={condition} label={null} size={13} />}
                {numberText(count)}
              </b>
              <span>{tile.words}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
