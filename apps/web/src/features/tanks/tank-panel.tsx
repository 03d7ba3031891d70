import type { ReactNode } from 'react';
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconArrowsSort, IconFilter, IconTrendingDown, IconTrendingUp } from '@tabler/icons-react';
import type { Attention, AttentionDevice } from '@headrace/contract/attention';
import type { AttentionKind } from '@headrace/contract/attention-kinds';
import { TANK_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { attentionOf } from '@headrace/contract/rules/attention';
import { contactOf, contactLabels } from '@headrace/contract/rules/place-condition';
import { gatewayCondition } from '@headrace/contract/rules/contact';
import { levelColour } from '@headrace/contract/rules/tank';
import { needs } from '@headrace/contract/permissions';
import type { TankSummary } from '@headrace/contract/tanks';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import type { Condition } from '../../ui/tokens.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { usePanelScroller } from '../../map/use-panel-scroller.ts';
import { useCan } from '../../access/permissions.ts';
import { poiText } from '../../device-records/marker-look.ts';
import { gatewayColour, gatewayLabels } from '../../device-records/gateway-view-model.ts';
import { MapCounts } from '../../map/map-counts.tsx';
import { MapLegend } from '../../map/map-legend.tsx';
import { AttentionList } from '../attention/attention-list.tsx';
import { insightsQuery } from '../insights/insights.queries.ts';
import type { MapDevice } from './map-devices.ts';
import { filterNames, mapSorts, sortLabels, type MapFilter, type MapSort } from './map-filter.ts';
import { tankLegend } from './tank-legend.ts';
import type { TankMapSearch } from './map-search.ts';
import { openTank } from './tank-search.ts';
import { conditionOf, stateLabel, trendLabel } from './tank-view-model.ts';
import list from '../../map/map-list.module.css';
import classes from './tank-map.module.css';

export interface TankPanelProps {
  farmUID: string;
  tanks: readonly TankSummary[] | undefined;
  /** What the filter leaves, in the order of the sort. */
  shown: readonly MapDevice[];
  filters: readonly MapFilter[];
  filter: MapFilter;
  sort: MapSort;
  selected: string | null;
  onChange: (change: Pick<TankMapSearch, 'filter' | 'sort'>) => void;
  onSelect: (id: string) => void;
}

/** A name with two lines below it. */
const ROW_PX = 72;

/** The counts, the list and its order. */
export function TankPanel(props: TankPanelProps) {
  const { farmUID, tanks, shown, filters, filter, sort, selected, onChange, onSelect } = props;
  const scroller = usePanelScroller();
  return (
    <>
      <h2 className={classes.panelTitle}>Tanks Summary</h2>
      <MapSummary tanks={tanks} filter={filter} onFilter={(next) => onChange({ filter: next })} />
      <OtherAttention farmUID={farmUID} tanks={tanks} />
      <div className={classes.menus}>
        <ChoiceMenu
          label="Filter"
          icon={<IconFilter size={17} aria-hidden="true" />}
          options={filters.map((value) => ({ value, text: filterNames[value] }))}
          value={filter}
          onChange={(value) => onChange({ filter: value === 'All' ? undefined : value })}
        />
        <ChoiceMenu
          label="Sort"
          icon={<IconArrowsSort size={17} aria-hidden="true" />}
          options={mapSorts.map((value) => ({ value, text: sortLabels[value] }))}
          value={sort}
          onChange={(value) => onChange({ sort: value === 'name' ? undefined : value })}
        />
      </div>
      {tanks && shown.length === 0 ? (
        <p className={list.none}>
          No items to display.{' '}
          {filter === 'All'
            ? 'Add a tank sensor to this farm to see it here.'
            : 'Choose another filter to see more.'}
        </p>
      ) : (
        <VirtualList
          label="Devices"
          items={shown}
          rowPx={ROW_PX}
          keyOf={({ id }) => id}
          scroller={scroller}
          shown={selected}
        >
          {(device) => <DeviceRow device={device} isSelected={device.id === selected} onSelect={onSelect} />}
        </VirtualList>
      )}
      <MapLegend entries={tankLegend} />
    </>
  );
}

/** What the tiles don't count: by name, each leading to its tank. */
function OtherAttention({ farmUID, tanks }: Pick<TankPanelProps, 'farmUID' | 'tanks'>) {
  const now = useNow();
  const canOpen = useCan(needs.readSensors, farmUID);
  const canSum = useCan(needs.tankSummary, farmUID);
  const findings = useQuery({ ...insightsQuery(farmUID), enabled: canSum }).data;
  const attention = attentionOf({ tanks, findings }, now).filter(({ kind }) => otherKinds.has(kind));
  if (attention.length === 0) return null;
  const toTank = ({ _id }: AttentionDevice, text: string) =>
    canOpen ? <Link {...openTank(_id)}>{text}</Link> : null;
  return (
    <div className={classes.untold}>
      <AttentionList attention={attention} names={3} ways={{ device: toTank, sprinklers: () => null }} />
    </div>
  );
}
const otherKinds: ReadonlySet<AttentionKind> = new Set(['leak', 'pumpLiftsLittle', 'invalidValue']);

/** How many need a person, and why. Each count filters by what it counts. */
export function MapSummary(props: {
  tanks: readonly TankSummary[] | undefined;
  filter: MapFilter;
  onFilter: (filter: MapFilter | undefined) => void;
  isCompact?: boolean;
}) {
  const { tanks, filter, onFilter, isCompact = false } = props;
  const now = useNow();
  const counts = tanks && countsOf(attentionOf({ tanks }, now));
  const tiles: [label: string, count: number | undefined, filter: MapFilter, condition: Condition | null][] =
    [
      ['Out of Contact', counts?.outOfContact, 'OutOfContact', 'issue'],
      ['Low Battery', counts?.lowBattery, 'LowBattery', 'caution'],
      ['Low Tank Level', counts?.lowLevel, 'LowVolume', 'caution'],
      ['Total', tanks?.length, 'Tanks', null],
    ];
  return (
    <MapCounts
      label="Tanks Summary"
      isCompact={isCompact}
      tiles={tiles.map(([label, count, kind, condition]) => ({
        label,
        count,
        condition,
        isPressed: filter === kind,
        onPress: () => onFilter(filter === kind ? undefined : kind),
      }))}
    />
  );
}

/** How many tanks there are of each kind of trouble; out of contact are also those that were never in it. */
function countsOf(attention: readonly Attention[]) {
  const of = (kind: AttentionKind) => attention.find((one) => one.kind === kind)?.count ?? 0;
  return {
    outOfContact: of('outOfContact') + of('neverContacted'),
    lowBattery: of('lowBattery'),
    lowLevel: of('lowLevel'),
  };
}

interface ChoiceMenuProps<T extends string> {
  label: string;
  icon: ReactNode;
  options: readonly { value: T; text: string }[];
  value: T;
  onChange: (value: T) => void;
}

function ChoiceMenu<T extends string>({ label, icon, options, value, onChange }: ChoiceMenuProps<T>) {
  const chosen = options.find((option) => option.value === value)?.text;
  return (
    <Menu
      position="bottom-start"
      withInitialFocusPlaceholder={false}
      classNames={{ item: classes.choice ?? '' }}
    >
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          className={classes.menu}
          leftSection={icon}
          aria-label={`${label}: ${chosen}`}
        >
          {chosen}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={value} onChange={(chosen) => onChange(chosen as T)}>
          {options.map((option) => (
            <Menu.RadioItem key={option.value} value={option.value} closeMenuOnClick>
              {option.text}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

const kindLabels = {
  tank: 'Tank',
  gateway: 'Gateway',
  repeater: 'Repeater',
  poi: 'Point of interest',
} as const;

/** As its marker has it: a gateway that has never been heard isn't out of contact. */
function PlaceDot({ device, now }: { device: Exclude<MapDevice, { kind: 'tank' }>; now: number }) {
  if (device.kind === 'poi') return <ConditionDot condition="poi" label={null} size={18} />;
  if (device.kind === 'repeater') {
    const contact = contactOf('repeater', device.statusTime, now);
    const colour = contact === 'ok' ? 'sensor' : 'issue';
    return <ConditionDot condition={colour} label={contactLabels[contact]} size={18} />;
  }
  const condition = gatewayCondition(device.statusTime, now);
  return <ConditionDot condition={gatewayColour[condition]} label={gatewayLabels[condition]} size={18} />;
}

function DeviceRow(props: { device: MapDevice; isSelected: boolean; onSelect: (id: string) => void }) {
  const { device, isSelected, onSelect } = props;
  const now = useNow();
  const isTank = device.kind === 'tank';
  const content = (
    <>
      {isTank ? (
        <LevelRing tank={device.tank} isStale={device.state.out} />
      ) : (
        <span className={classes.ring}>
          <PlaceDot device={device} now={now} />
        </span>
      )}
      <span className={classes.rowNames}>
        <span className={classes.rowName}>{device.name}</span>
        <span className={classes.rowUnder}>
          {isTank && <RowState device={device} />}
          {!isTank && (
            <span>{device.kind === 'poi' ? poiText(device.place.icon) : kindLabels[device.kind]}</span>
          )}
          {device.kind !== 'poi' && (
            <Age
              at={device.statusTime}
              never="No data"
              staleAfter={isTank ? TANK_OUT_OF_CONTACT_MS : undefined}
            />
          )}
          {!device.location && <span>No location</span>}
        </span>
      </span>
      {isTank && <RowLevel tank={device.tank} isStale={device.state.out} />}
    </>
  );
  if (!device.location && isTank) {
    return (
      <Link className={list.row} {...openTank(device.id)}>
        {content}
      </Link>
    );
  }
  // A link, so that the map with this popup can be opened elsewhere or sent; here it opens at once.
  return (
    <Link
      to="/tanks"
      search={((before: object) => ({ ...before, p: device.serialNumber })) as never}
      replace
      className={list.row}
      aria-current={isSelected || undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        onSelect(device.id);
      }}
    >
      {content}
    </Link>
  );
}

function RowState({ device }: { device: Extract<MapDevice, { kind: 'tank' }> }) {
  const labels = stateLabel(device.state);
  if (labels.length === 0) return null;
  return (
    <span className={classes.rowState}>
      <ConditionDot condition={conditionOf(device.state)} label={null} size={12} />
      {labels.join(', ')}
    </span>
  );
}

function RowLevel({ tank, isStale }: { tank: TankSummary; isStale: boolean }) {
  const trend = isStale ? null : trendLabel(tank.trending);
  // Beside it the row's state says why.
  if (tank.level.invalid) return null;
  return (
    <span className={classes.rowLevel} data-stale={isStale || undefined}>
      {trend === 'rising' && <IconTrendingUp size={17} role="img" aria-label="rising" />}
      {trend === 'falling' && <IconTrendingDown size={17} role="img" aria-label="falling" />}
      <Quantity value={tank.level.value} unit="%" />
    </span>
  );
}

const RADIUS = 15;
const ROUND = 2 * Math.PI * RADIUS;

/** How full, as a ring: orange under 50 %, red under 20 %. */
function LevelRing({ tank, isStale }: { tank: TankSummary; isStale: boolean }) {
  const percent = tank.level.invalid ? null : tank.level.value;
  return (
    <svg
      className={classes.ring}
      viewBox="0 0 38 38"
      data-level={levelColour(percent)}
      data-stale={isStale || undefined}
      aria-hidden="true"
    >
      <circle cx="19" cy="19" r={RADIUS} className={classes.ringBack} />
      {percent !== null && (
        <circle
          cx="19"
          cy="19"
          r={RADIUS}
          className={classes.ringFill}
          strokeDasharray={`${(ROUND * percent) / 100} ${ROUND}`}
          transform="rotate(-90 19 19)"
        />
      )}
    </svg>
  );
}
