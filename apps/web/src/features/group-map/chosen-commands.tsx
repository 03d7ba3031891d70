import { useState } from 'react';
import { Button } from '@mantine/core';
import type { MapUnit } from '@headrace/contract/map-units';
import { useGroupChoices } from '../../device-records/choices.queries.ts';
import { Dialog } from '../../forms/dialog.tsx';
import { numberText } from '../../ui/format.ts';
import { ManyDialogHost } from '../commands/many/many-dialog-host.tsx';
import { FARM, type ManyCommand, manyOrders } from '../commands/many/many-orders.ts';
import { useManyCommands } from '../commands/many/use-many-commands.ts';
import { CommandWay } from './command-way.tsx';
import { WHOLE_FARM } from './group-map.queries.ts';
import classes from './group-map.module.css';

interface Props {
  farmUID: string;
  /** The group's, or the whole farm's. */
  name: string;
  units: readonly MapUnit[];
  chosen: ReadonlySet<string>;
}

/** What can be sent to the chosen sprinklers, by this person's rights. */
export function ChosenCommands({ farmUID, name, units, chosen }: Props) {
  const commands = useManyCommands(farmUID);
  const groups = useGroupChoices(farmUID);
  const [open, setOpen] = useState<'choose' | { command: ManyCommand; uids: readonly string[] } | null>(null);
  const groupUID = name === WHOLE_FARM ? FARM : groups.find((group) => group.name === name)?.id;
  if (commands.length === 0 || groupUID === undefined)
    return <p className={classes.note}>You may send no commands to these sprinklers.</p>;
  const uids = units.flatMap(({ id }) => (chosen.has(id) ? [id] : []));
  const close = () => setOpen(null);
  const whom = nameOf(units, open !== null && open !== 'choose' ? open.uids : uids);
  return (
    <>
      <Button mih={44} disabled={chosen.size === 0} onClick={() => setOpen('choose')}>
        {chosen.size === 0 ? 'Commands…' : `Commands for ${numberText(chosen.size)}…`}
      </Button>
      {open === 'choose' && (
        <Dialog title={`Commands for ${whom}`} onClose={close} size={360}>
          <ul className={classes.commands}>
            {commands.map((command) => (
              <CommandWay key={command} onPress={() => setOpen({ command, uids })}>
                {manyOrders[command].item.replace(' group', '')}
              </CommandWay>
            ))}
          </ul>
        </Dialog>
      )}
      {open !== null && open !== 'choose' && (
        <ManyDialogHost
          command={open.command}
          scope={{ farmUID, groupUID, name: whom, uids: open.uids }}
          onClose={close}
        />
      )}
    </>
  );
}

function nameOf(units: readonly MapUnit[], uids: readonly string[]): string {
  const [only] = uids;
  if (uids.length === 1) return units.find(({ id }) => id === only)?.name ?? '1 sprinkler';
  return `${numberText(uids.length)} sprinklers`;
}
