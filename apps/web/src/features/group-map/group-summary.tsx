import type { MapGroup } from './map-group.ts';
import { filterKinds, type FilterKind } from '@headrace/contract/rules/sprinkler-filter';
import { MapCounts } from '../../map/map-counts.tsx';
import type { Condition } from '../../ui/tokens.ts';

interface Tile {
  label: string;
  member: 'numberOfIpcs' | 'ipcsOOC' | 'ipcsActive' | 'ipcsClock' | 'ipcsCharge' | 'ipcsSched' | 'ipcsSpare';
  filter: FilterKind;
  condition: Condition | null;
  /** Also in the phone's bar. */
  isShort?: boolean;
}
const TILES: readonly Tile[] = [
  {
    label: 'Out of Contact',
    member: 'ipcsOOC',
    filter: filterKinds.OutOfContact,
    condition: 'issue',
    isShort: true,
  },
  {
    label: 'Low Battery',
    member: 'ipcsCharge',
    filter: filterKinds.LowBattery,
    condition: 'caution',
    isShort: true,
  },
  { label: 'Clock Error', member: 'ipcsClock', filter: filterKinds.ClockError, condition: 'caution' },
  { label: 'Schedule Issues', member: 'ipcsSched', filter: filterKinds.ScheduleIssues, condition: 'caution' },
  { label: 'Active', member: 'ipcsActive', filter: filterKinds.Active, condition: 'watering', isShort: true },
  { label: 'Spares', member: 'ipcsSpare', filter: filterKinds.Spares, condition: null },
  { label: 'In Service', member: 'numberOfIpcs', filter: filterKinds.All, condition: null, isShort: true },
];

export interface GroupSummaryProps {
  info: MapGroup | undefined;
  filter: FilterKind;
  onFilter: (filter: FilterKind) => void;
  isCompact?: boolean;
}

/** How many need a person, and why. Each count filters by what it counts; once more shows all. */
export function GroupSummary({ info, filter, onFilter, isCompact = false }: GroupSummaryProps) {
  const tiles = TILES.filter(({ isShort }) => isShort || !isCompact).map((tile) => ({
    label: tile.label,
    count: info?.[tile.member],
    condition: tile.condition,
    isPressed: filter === tile.filter,
    onPress: () => onFilter(filter === tile.filter ? filterKinds.All : tile.filter),
  }));
  return <MapCounts label="Summary" tiles={tiles} isCompact={isCompact} />;
}
