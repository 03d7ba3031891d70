import { useState } from 'react';
import { Button } from '@mantine/core';
import { useGroupChoices } from '../../device-records/choices.queries.ts';
import type { FarmCard } from '@headrace/contract/farms';
import { useCurrentFarm } from '../../farm/current-farm.ts';
import { ManyDialogHost } from '../commands/many/many-dialog-host.tsx';
import { FARM, type ManyCommand } from '../commands/many/many-orders.ts';
import { StopAllWater } from '../commands/many/stop-all-water.tsx';
import { UnderWay } from '../commands/under-way.tsx';
import { useManyCommands } from '../commands/many/use-many-commands.ts';
import { HoldDialogHost } from '../holds/hold-dialog-host.tsx';
import { ResetLocations } from '../placing/reset-locations.tsx';
import { WHOLE_FARM } from './group-map.queries.ts';
import type { GroupDevice } from './group-markers.ts';
import { MapOptions, type MapWay } from './map-options.tsx';
import type { StatusReportProps } from './status-report.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import classes from './group-map.module.css';

const StatusReport = lazyDialog<StatusReportProps>(() =>
  import('./status-report.tsx').then((m) => m.default),
);

export interface MapToolbarProps {
  /** The group's, or the whole farm's. */
  name: string;
  /** What the list shows. */
  shown: readonly GroupDevice[];
}

/**
 * Polls the sprinklers of the map, or sends them schedules: those of its group, or of the farm; what is listed on paper. The rest is among
 * the options.
 */
export default function MapToolbar(props: MapToolbarProps) {
  const farm = useCurrentFarm();
  return farm && <OfFarm {...props} farm={farm} />;
}

function OfFarm({ farm, name, shown }: MapToolbarProps & { farm: FarmCard }) {
  const groups = useGroupChoices(farm._id);
  const commands = useManyCommands(farm._id);
  const [chosen, setChosen] = useState<MapWay | null>(null);
  const isFarm = name === WHOLE_FARM;
  const groupUID = isFarm ? FARM : groups.find((group) => group.name === name)?.id;
  const title = isFarm ? farm.name : name;
  // Of a group that isn't known yet nothing can be sent.
  const possible: readonly ManyCommand[] = groupUID === undefined ? [] : commands;
  const has = (command: ManyCommand) => possible.includes(command);
  return (
    <>
      <div className={classes.toolbar} role="toolbar" aria-label={`What can be done with ${title}`}>
        {has('PollGroup') && <Tool onPress={() => setChosen('PollGroup')}>Poll</Tool>}
        {has('SendScheduleSet') && <Tool onPress={() => setChosen('SendScheduleSet')}>Send schedules</Tool>}
        <Tool label="PDF report" onPress={() => setChosen('report')}>
          PDF
        </Tool>
        <Tool onPress={() => setChosen('options')}>Options</Tool>
        <Chosen
          {...{ farm, name, chosen, commands: possible, shown, title, isFarm }}
          groupUID={groupUID ?? ''}
          onChoose={setChosen}
        />
      </div>
      <div className={classes.underWay}>
        <UnderWay farmUID={farm._id} groupUID={isFarm ? undefined : (groupUID ?? '')} hasFarm />
      </div>
    </>
  );
}

interface ToolProps {
  onPress: () => void;
  /** Its name, where its words alone don't say all; begins with them. */
  label?: string;
  children: string;
}

const Tool = ({ onPress, label, children }: ToolProps) => (
  <Button variant="default" mih={44} px={6} onClick={onPress} aria-label={label}>
    {children}
  </Button>
);

interface ChosenProps {
  farm: FarmCard;
  name: string;
  chosen: MapWay | null;
  commands: readonly ManyCommand[];
  shown: readonly GroupDevice[];
  /** What the map is called. */
  title: string;
  isFarm: boolean;
  groupUID: string;
  onChoose: (way: MapWay | null) => void;
}

/** The dialog of what was chosen. */
function Chosen({ farm, name, chosen, commands, shown, title, isFarm, groupUID, onChoose }: ChosenProps) {
  const scope = { farmUID: farm._id, groupUID, name: title };
  const onClose = () => onChoose(null);
  if (chosen === null) return null;
  if (chosen === 'options')
    return <MapOptions {...{ farm, commands, shown, title, isFarm, onChoose, onClose }} />;
  if (chosen === 'report') return <StatusReport {...{ farm, name, title, shown, onClose }} />;
  if (chosen === 'stopAll') return <StopAllWater farmUID={farm._id} farmName={farm.name} onClose={onClose} />;
  if (chosen === 'hold') return <HoldDialogHost {...scope} onClose={onClose} />;
  if (chosen === 'reset') return <ResetLocations farm={farm} what="sprinklers" onClose={onClose} />;
  return <ManyDialogHost command={chosen} scope={scope} onClose={onClose} />;
}
