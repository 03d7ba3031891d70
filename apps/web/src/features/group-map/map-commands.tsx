import { useState } from 'react';
import { Button } from '@mantine/core';
import { useGroupChoices } from '../../device-records/choices.queries.ts';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { Dialog } from '../../forms/dialog.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { ManyDialogHost } from '../commands/many/many-dialog-host.tsx';
import { FARM, type ManyCommand, manyOrders } from '../commands/many/many-orders.ts';
import { StopAllWater } from '../commands/many/stop-all-water.tsx';
import { useManyCommands } from '../commands/many/use-many-commands.ts';
import { HoldDialogHost } from '../holds/hold-dialog-host.tsx';
import { CommandWay } from './command-way.tsx';
import { WHOLE_FARM } from './group-map.queries.ts';
import type { GroupMapSearch } from './map-search.ts';
import classes from './group-map.module.css';

/** What can be sent to all sprinklers of the map: those of its group, or of the farm. */
export default function MapCommands({ farmUID, name }: { farmUID: string; name: string }) {
  const farm = useCurrentFarm();
  const groups = useGroupChoices(farmUID);
  const commands = useManyCommands(farmUID);
  const patch = useSearchPatch<GroupMapSearch>();
  const [chosen, setChosen] = useState<ManyCommand | 'stopAll' | 'choose' | 'hold' | null>(null);
  const isFarm = name === WHOLE_FARM;
  const groupUID = isFarm ? FARM : groups.find((group) => group.name === name)?.id;
  if (!farm || groupUID === undefined || commands.length === 0) return null;
  const scope = { farmUID, groupUID, name: isFarm ? farm.name : name };
  const close = () => setChosen(null);
  const ways = isFarm ? commands.filter((one) => one !== 'TurnGroupValvesOff') : commands;
  return (
    <>
      <Button
        variant="default"
        mih={44}
        px={12}
        aria-label={`Commands for ${scope.name}`}
        onClick={() => setChosen('choose')}
      >
        Commands
      </Button>
      {chosen === 'choose' && (
        <Dialog title={`Commands for ${scope.name}`} onClose={close} size={360}>
          <ul className={classes.commands}>
            <CommandWay onPress={() => patch({ choose: '1', ipc: undefined })}>Choose sprinklers…</CommandWay>
            {ways.length < commands.length && (
              <CommandWay onPress={() => setChosen('stopAll')}>Stop all water…</CommandWay>
            )}
            {ways.map((command) => (
              <CommandWay key={command} onPress={() => setChosen(command)}>
                {isFarm ? manyOrders[command].item.replace(' group', ' all') : manyOrders[command].item}
              </CommandWay>
            ))}
            {commands.includes('InhibitGroup') && (
              <CommandWay onPress={() => setChosen('hold')}>Hold from watering…</CommandWay>
            )}
          </ul>
        </Dialog>
      )}
      {chosen === 'stopAll' && <StopAllWater farmUID={farmUID} farmName={farm.name} onClose={close} />}
      {chosen === 'hold' && <HoldDialogHost {...scope} onClose={close} />}
      {chosen !== null && chosen !== 'stopAll' && chosen !== 'choose' && chosen !== 'hold' && (
        <ManyDialogHost command={chosen} scope={scope} onClose={close} />
      )}
    </>
  );
}
