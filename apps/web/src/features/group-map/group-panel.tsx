import { memo } from 'react';
import { NativeSelect } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MapGroup } from './map-group.ts';
import type { MapUnit } from '@headrace/contract/map-units';
import {
  filterKinds,
  filterLabels,
  type CustomFilter,
  type FilterKind,
} from '@headrace/contract/rules/sprinkler-filter';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { usePanelScroller } from '../../map/use-panel-scroller.ts';
import { Age } from '../../ui/age.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import type { UnitsUnderWay } from '../commands/units-under-way.queries.ts';
import { FindRow } from './find-row.tsx';
import { customText, sortLabels, unitSorts, type UnitSort } from './group-filter.ts';
import { kindLabels, type GroupDevice, type OtherDevice, type OtherStanding } from './group-markers.ts';
import { GroupSummary } from './group-summary.tsx';
import type { MapToolbarProps } from './map-toolbar.tsx';
import { NothingListed } from './nothing-listed.tsx';
import { OUT_OF_CONTACT_MS } from '../../device-records/sprinkler-view-model.ts';
import { UnitDot } from '../../device-records/unit-dot.tsx';
import { unitSigns, unitLabel } from '../../device-records/unit-view-model.ts';
import list from '../../map/map-list.module.css';
import classes from './group-map.module.css';

const MapToolbar = lazyPart<MapToolbarProps>(() => import('./map-toolbar.tsx').then((m) => m.default), {
  failed: "What can be done with these sprinklers couldn't be loaded",
  waiting: <div className={classes.toolbar} />,
  isLine: true,
});
const GroupLegend = lazyPart(() => import('./group-legend.tsx').then((m) => m.default), {
  failed: "The legend couldn't be loaded",
  isLine: true,
});

export interface GroupPanelProps {
  farmUID: string;
  /** The group's, or the whole farm's. */
  name: string;
  info: MapGroup | undefined;
  /** What the filter shows, in the order of the sort. */
  shown: readonly GroupDevice[];
  /** How many each filter shows. */
  counts: ReadonlyMap<FilterKind, number>;
  filter: FilterKind;
  custom: CustomFilter;
  sort: UnitSort;
  selected: string | null;
  /** What was searched for. */
  typed: string;
  /** What is under way for the farm's sprinklers. */
  underWay: UnitsUnderWay | undefined;
  /** Of a device that isn't a sprinkler. */
  standingOf: (device: OtherDevice) => OtherStanding;
  onType: (text: string) => void;
  onFilter: (filter: FilterKind) => void;
  onSort: (sort: UnitSort) => void;
  onSelect: (id: string) => void;
}

export const ROW_PX = 58;
export const idOf = (device: GroupDevice) => (device.kind === 'ipc' ? device.unit.id : device.id);

/** The counts, the search, the filter, the list and its order. */
export function GroupPanel(props: GroupPanelProps) {
  const { farmUID, name, info, shown, counts, filter, custom, sort, selected, typed } = props;
  const { underWay, standingOf, onType, onFilter, onSort, onSelect } = props;
  const scroller = usePanelScroller();
  const locationless = counts.get(filterKinds.Locationless) ?? 0;
  const options = [
    ...filterLabels.map(([kind, label]) => ({
      value: String(kind),
      // Before the group is known nobody has counted.
      label: withCount(label, info && counts.get(kind)),
    })),
    ...(filter === filterKinds.Placeholder ? [{ value: String(filter), label: 'Placeholders' }] : []),
  ];
  return (
    <>
      <GroupSummary info={info} filter={filter} onFilter={onFilter} />
      <MapToolbar name={name} shown={shown} />
      <FindRow farmUID={farmUID} typed={typed} onType={onType} />
      <div className={classes.menus}>
        <NativeSelect
          aria-label="Filter"
          size="md"
          value={String(filter)}
          data={options}
          onChange={(event) => onFilter(Number(event.currentTarget.value) as FilterKind)}
        />
        <NativeSelect
          aria-label="Sort"
          size="md"
          value={sort}
          data={unitSorts.map((value) => ({ value, label: sortLabels[value] }))}
          onChange={(event) =>
            onSort(unitSorts.find((value) => value === event.currentTarget.value) ?? 'name')
          }
        />
      </div>
      {filter === filterKinds.Custom && (
        <p className={classes.note}>
          {customText(custom)}
          <PlainButton onClick={() => onFilter(filterKinds.Custom)}>Change</PlainButton>
        </p>
      )}
      {filter !== filterKinds.Locationless && locationless > 0 && (
        <button
          type="button"
          className={classes.locationless}
          onClick={() => onFilter(filterKinds.Locationless)}
        >
          {locationless === 1 ? '1 sprinkler has' : `${locationless} sprinklers have`} no location
        </button>
      )}
      {info && shown.length === 0 ? (
        <NothingListed {...{ farmUID, name, filter, typed }} onClearSearch={() => onType('')} />
      ) : (
        <VirtualList
          label="Devices"
          items={shown}
          rowPx={ROW_PX}
          keyOf={idOf}
          scroller={scroller}
          shown={selected}
        >
          {(device) => (
            <Row
              device={device}
              isSelected={idOf(device) === selected}
              underWay={underWay}
              standingOf={standingOf}
              onSelect={onSelect}
            />
          )}
        </VirtualList>
      )}
      <GroupLegend />
    </>
  );
}

const withCount = (label: string, count: number | undefined) =>
  count === undefined ? label : `${label} (${count})`;

interface RowProps extends Pick<GroupPanelProps, 'underWay' | 'standingOf' | 'onSelect'> {
  device: GroupDevice;
  isSelected: boolean;
}

function Row({ device, isSelected, underWay, standingOf, onSelect }: RowProps) {
  const id = idOf(device);
  // A link, so that the map with this unit can be opened elsewhere or sent; here it opens at once.
  return (
    <Link
      to="."
      search={((before: object) => ({ ...before, ipc: id, tab: undefined })) as never}
      replace={device.kind !== 'ipc'}
      state={{ opened: true }}
      resetScroll={false}
      preload={false}
      className={list.row}
      aria-current={isSelected || undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onSelect(id);
      }}
    >
      {device.kind === 'ipc' ? (
        <UnitRow unit={device.unit} underWay={underWay} />
      ) : (
        <OtherRow device={device} {...standingOf(device)} />
      )}
    </Link>
  );
}

interface UnitRowProps {
  unit: MapUnit;
  underWay: UnitsUnderWay | undefined;
}

/** Drawn again when it is otherwise, not when the page is: a tap on one waits for all of them. */
const UnitRow = memo(function UnitRow({ unit, underWay }: UnitRowProps) {
  const label = unitLabel(unit);
  const title = underWay?.get(unit.id);
  return (
    <>
      <UnitDot {...unitSigns(unit)} label={label} size={20} />
      <span className={classes.rowNames}>
        <b>{unit.name}</b>
        <span className="num">{unit.serial}</span>
      </span>
      <span className={classes.rowFacts}>
        {label !== 'OK' && <span>{label}</span>}
        <span className={classes.rowWay}>
          {title !== undefined && <span>{title} under way</span>}
          <Age at={unit.statustime || null} never="No status" staleAfter={OUT_OF_CONTACT_MS} />
        </span>
      </span>
    </>
  );
});

/** What is wrong with it stands where a sprinkler's state does. */
function OtherRow({ device, condition, label }: OtherStanding & { device: OtherDevice }) {
  const kind = kindLabels[device.kind];
  const fault = condition === 'ok' || !label ? null : label;
  return (
    <>
      <ConditionDot condition={condition} label={kind} size={20} />
      <span className={classes.rowNames}>
        <b>{device.name}</b>
        <span className="num">{device.serial || kind}</span>
      </span>
      {device.kind !== 'poi' && (
        <span className={classes.rowFacts}>
          {fault !== null && <span>{fault}</span>}
          <Age at={device.statustime || null} never="No status" />
        </span>
      )}
    </>
  );
}
