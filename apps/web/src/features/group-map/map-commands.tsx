import { useState } from 'react';
import { Button, Menu } from '@mantine/core';
import { IconDots, IconHandStop } from '@tabler/icons-react';
import { useGroupChoices } from '../../device-records/choices.queries.ts';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { ManyDialogHost } from '../commands/many/many-dialog-host.tsx';
import { ManyMenuItems } from '../commands/many/many-menu-items.tsx';
import { FARM, type ManyCommand } from '../commands/many/many-orders.ts';
import { StopAllWater } from '../commands/many/stop-all-water.tsx';
import { useManyCommands } from '../commands/many/use-many-commands.ts';
import { WHOLE_FARM } from './group-map.queries.ts';

/** What can be sent to all sprinklers of the map: those of its group, or of the farm. */
export default function MapCommands({ farmUID, name }: { farmUID: string; name: string }) {
  const farm = useCurrentFarm();
  const groups = useGroupChoices(farmUID);
  const commands = useManyCommands(farmUID);
  const [chosen, setChosen] = useState<ManyCommand | 'stopAll' | null>(null);
  const isFarm = name === WHOLE_FARM;
  const groupUID = isFarm ? FARM : groups.find((group) => group.name === name)?.id;
  if (!farm || groupUID === undefined || commands.length === 0) return null;
  const scope = { farmUID, groupUID, name: isFarm ? farm.name : name };
  const close = () => setChosen(null);
  return (
    <>
      <Menu width={250} position="bottom-end" radius="lg" middlewares={{ shift: { crossAxis: true } }}>
        <Menu.Target>
          <Button variant="default" mih={44} px={12} aria-label={`Commands for ${scope.name}`}>
            <IconDots size={20} aria-hidden="true" />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isFarm && commands.includes('TurnGroupValvesOff') && (
            <>
              <Menu.Item
                h={44}
                leftSection={<IconHandStop size={18} stroke={1.7} />}
                onClick={() => setChosen('stopAll')}
              >
                Stop all water…
              </Menu.Item>
              <Menu.Divider />
            </>
          )}
          <ManyMenuItems
            commands={isFarm ? commands.filter((one) => one !== 'TurnGroupValvesOff') : commands}
            isFarm={isFarm}
            onChoose={setChosen}
          />
        </Menu.Dropdown>
      </Menu>
      {chosen === 'stopAll' && <StopAllWater farmUID={farmUID} farmName={farm.name} onClose={close} />}
      {chosen !== null && chosen !== 'stopAll' && (
        <ManyDialogHost command={chosen} scope={scope} onClose={close} />
      )}
    </>
  );
}
