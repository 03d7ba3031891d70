import { useMemo, useState } from 'react';
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { Api } from '@headrace/contract/api';
import { unitStates } from '@headrace/contract/command-types';
import type { CommandUnit } from '@headrace/contract/commands';
import type { Timezone } from '@headrace/contract/farms';
import { foldText } from '../../ui/fold-text.ts';
import { numberText } from '../../ui/format.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { secondText } from './command-times.ts';
import {
  filterNames,
  isIn,
  logFilters,
  shownState,
  tones,
  unitNote,
  commandUnitLabel,
  type LogFilter,
} from './command-labels.ts';
import { StateSign } from './state-sign.tsx';
import classes from './command-drawer.module.css';
import log from './commands.module.css';

/** From this many units on they can be looked through. */
const SEARCH_FROM = 8;
const ROW_PX = 68;

interface Props {
  units: readonly CommandUnit[];
  /** How many are in which state, also of those that aren't among `units`. */
  states: Api['GET /command']['reply']['unitStates'];
  /** All of them wait for another command. */
  isBehind: boolean;
  zone: Timezone;
}

/** Each unit that a command is for, and how far it is with it. */
export function CommandUnits({ units, states, isBehind, zone }: Props) {
  const [filter, setFilter] = useState<LogFilter>('all');
  const [wanted, setWanted] = useState('');
  const shown = useMemo(() => {
    const text = foldText(wanted);
    const isWanted = ({ name, serialNumber }: CommandUnit) =>
      foldText(`${name} ${serialNumber}`).includes(text);
    return units.filter((unit) => isIn(filter, unit) && (text === '' || isWanted(unit)));
  }, [units, filter, wanted]);
  if (units.length === 0) return <p className={classes.none}>No unit is named in this command.</p>;
  return (
    <>
      {units.length >= SEARCH_FROM && (
        <div className={classes.tools}>
          <Segmented
            aria-label="Which units"
            fullWidth
            data={logFilters.map((value) => ({
              value,
              label: `${filterNames[value]} (${numberText(countIn(value, states))})`,
            }))}
            value={filter}
            onChange={setFilter}
          />
          <TextInput
            type="search"
            aria-label="Search units"
            placeholder="Name or serial number"
            leftSection={<IconSearch size={18} stroke={1.7} aria-hidden="true" />}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
        </div>
      )}
      {shown.length === 0 && <p className={classes.none}>None of the units.</p>}
      <VirtualList label="Units" items={shown} rowPx={ROW_PX} keyOf={({ uid }) => uid} scroller="around">
        {(unit) => <UnitRow unit={unit} isBehind={isBehind} zone={zone} />}
      </VirtualList>
    </>
  );
}

const countIn = (filter: LogFilter, states: Props['states']) =>
  unitStates.reduce((sum, state) => sum + (isIn(filter, { state }) ? (states[state] ?? 0) : 0), 0);

function UnitRow({ unit, isBehind, zone }: Pick<Props, 'isBehind' | 'zone'> & { unit: CommandUnit }) {
  const { name, serialNumber, at } = unit;
  const state = shownState(unit);
  return (
    <div className={classes.unit}>
      <StateSign state={state} />
      <span className={classes.unitName}>{name}</span>
      <span className={log.label} data-tone={tones[state]}>
        {commandUnitLabel(unit, isBehind)}
      </span>
      <span className={classes.unitNote}>
        <time dateTime={at}>{secondText(Date.parse(at), zone)}</time>
        {[serialNumber, unitNote(unit, zone)].filter(Boolean).map((text) => ` · ${text}`)}
      </span>
    </div>
  );
}
