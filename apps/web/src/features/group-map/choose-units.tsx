import { useMemo, useState } from 'react';
import { Button, NativeSelect } from '@mantine/core';
import type { FarmCard } from '@headrace/contract/farms';
import type { MapGroup } from './map-group.ts';
import type { MapUnit } from '@headrace/contract/map-units';
import { MAP } from '@headrace/contract/limits';
import { compareNatural } from '@headrace/contract/rules/natural-order';
import type { Tiles } from '../../map/farm-map.tsx';
import { LassoSelect } from '../../map/lasso-select.tsx';
import { numberText } from '../../ui/format.ts';
import { useSearchPatch } from '../../ui/url-state.ts';
import { unitSigns, unitLabel } from '../../device-records/unit-view-model.ts';
import { ChosenCommands } from './chosen-commands.tsx';
import type { GroupDevice } from './group-markers.ts';
import { WHOLE_FARM } from './group-map.queries.ts';
import type { GroupMapSearch } from './map-search.ts';
import classes from './choose-units.module.css';

export interface ChooseUnitsProps {
  farm: FarmCard;
  /** The group's, or the whole farm's. */
  name: string;
  info: MapGroup;
  /** What the list shows by its filter and search. */
  shown: readonly GroupDevice[];
  tiles: Tiles | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Sprinklers of the map are chosen, on it or by name, to send a command to them alone. */
export default function ChooseUnits({ farm, name, info, shown, tiles }: ChooseUnitsProps) {
  const patch = useSearchPatch<GroupMapSearch>();
  const [wanted, setWanted] = useState(NONE);
  const units = info.ipcs;
  // Who was deleted meanwhile is chosen no more.
  const chosen = useMemo(
    () => new Set(units.filter(({ id }) => wanted.has(id)).map(({ id }) => id)),
    [units, wanted],
  );
  const markers = useMemo(() => units.flatMap(markerOf), [units]);
  const placeless = useMemo(() => units.filter((unit) => markerOf(unit).length === 0).map(signOf), [units]);
  const add = (more: readonly MapUnit[]) => setWanted(new Set([...chosen, ...more.map(({ id }) => id)]));
  const listed = shown.flatMap((device) => (device.kind === 'ipc' ? [device.unit] : []));
  const of = name === WHOLE_FARM ? farm.name : name;
  return (
    <div className={classes.page}>
      <h1 className={classes.title}>Choose sprinklers of {of}</h1>
      <div className={classes.bar} role="toolbar" aria-label="Chosen sprinklers">
        <ChosenCommands farmUID={farm._id} name={name} units={units} chosen={chosen} />
        <Button variant="default" mih={44} disabled={listed.length === 0} onClick={() => add(listed)}>
          {listed.length === units.length ? 'All' : `The ${numberText(listed.length)} listed`}
        </Button>
        {name === WHOLE_FARM && <AddGroup units={units} onAdd={add} />}
        <Button variant="default" mih={44} disabled={chosen.size === 0} onClick={() => setWanted(NONE)}>
          Clear
        </Button>
        <Button variant="default" mih={44} onClick={() => patch({ choose: undefined }, { replace: true })}>
          Done
        </Button>
      </div>
      <div className={classes.map}>
        <LassoSelect
          label={`Sprinklers of ${of}`}
          markers={markers}
          placeless={placeless}
          chosen={chosen}
          onChange={setWanted}
          boundary={info.boundaries}
          points={name === WHOLE_FARM || markers.length === 0 ? undefined : markers}
          centre={farm}
          zoom={name === WHOLE_FARM ? MAP.farmZoom : MAP.groupZoom}
          tiles={tiles}
        />
      </div>
    </div>
  );
}

/** All sprinklers of a group at once. */
function AddGroup({ units, onAdd }: { units: readonly MapUnit[]; onAdd: (units: MapUnit[]) => void }) {
  const groups = [...new Set(units.flatMap((unit) => unit.groups))].sort(compareNatural);
  if (groups.length === 0) return null;
  return (
    <NativeSelect
      aria-label="Add a group"
      size="md"
      value=""
      data={[{ value: '', label: 'Add a group…' }, ...groups]}
      onChange={({ currentTarget }) => {
        const group = currentTarget.value;
        onAdd(units.filter((unit) => unit.groups.includes(group)));
      }}
    />
  );
}

const signOf = (unit: MapUnit) => ({
  id: unit.id,
  name: unit.name,
  spoken: `Sprinkler ${unit.name}, ${unitLabel(unit).toLowerCase()}`,
  ...unitSigns(unit),
});

function markerOf(unit: MapUnit) {
  const { lat, lng } = unit;
  return lat === null || lng === null ? [] : [{ ...signOf(unit), lat, lng, shape: 'sprinkler' as const }];
}
