import { type ReactNode, useId } from 'react';
import { IconDropletOff } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import type { FarmCard } from '@headrace/contract/farms';
import { can } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { Dialog } from '../../forms/dialog.tsx';
import { SettingSwitch } from '../../forms/setting-switch.tsx';
import { saveSettings, useSettings } from '../../preferences/settings.queries.ts';
import { numberText } from '../../ui/format.ts';
import { saveFile } from '../../ui/save-file.ts';
import { useSearchPatch } from '../../ui/url-state.ts';
import { type ManyCommand, manyOrders } from '../commands/many/many-orders.ts';
import { CommandWay } from './command-way.tsx';
import type { GroupDevice } from './group-markers.ts';
import { listCsv } from './list-csv.ts';
import type { GroupMapSearch } from './map-search.ts';
import classes from './group-map.module.css';

/** What a map's toolbar and its options lead to. */
export type MapWay = ManyCommand | 'options' | 'report' | 'stopAll' | 'hold' | 'reset';

const kinds = [
  ['displayPOI', 'Points of interest'],
  ['displaySensors', 'Sensors'],
  ['displaySpares', 'Spares'],
] as const;

interface Props {
  farm: FarmCard;
  /** What this person may send. */
  commands: readonly ManyCommand[];
  shown: readonly GroupDevice[];
  title: string;
  isFarm: boolean;
  onChoose: (way: MapWay) => void;
  onClose: () => void;
}

/** What can be sent to all sprinklers of a map, what it shows, and its list as a file. */
export function MapOptions({ farm, commands, shown, title, isFarm, onChoose, onClose }: Props) {
  const patch = useSearchPatch<GroupMapSearch>();
  const zone = useFarmZone(farm._id);
  const canReset = useCan({ anyOf: [can('irrigationDevices', 'Edit')] }, farm._id) && isFarm;
  // These two stand in the toolbar; on a farm's map all water is stopped.
  const rest = commands.filter(
    (one) => one !== 'PollGroup' && one !== 'SendScheduleSet' && !(isFarm && one === 'TurnGroupValvesOff'),
  );
  return (
    <Dialog title={`Options for ${title}`} onClose={onClose} size={400}>
      {commands.length > 0 && (
        <Part title="Send">
          <ul className={classes.commands}>
            {isFarm && commands.includes('TurnGroupValvesOff') && (
              <CommandWay
                icon={<IconDropletOff size={18} stroke={1.7} aria-hidden="true" />}
                onPress={() => onChoose('stopAll')}
              >
                Stop all water…
              </CommandWay>
            )}
            <CommandWay onPress={() => patch({ choose: '1', ipc: undefined })}>Choose sprinklers…</CommandWay>
            {rest.map((command) => (
              <CommandWay key={command} onPress={() => onChoose(command)}>
                {isFarm ? manyOrders[command].item.replace(' group', ' all') : manyOrders[command].item}
              </CommandWay>
            ))}
            {commands.includes('InhibitGroup') && (
              <CommandWay onPress={() => onChoose('hold')}>Hold from watering…</CommandWay>
            )}
          </ul>
        </Part>
      )}
      <Part title="Show on maps">
        <Shown />
      </Part>
      <Part title="This map">
        <ul className={classes.commands}>
          <CommandWay onPress={() => save(title, listCsv(shown, zone))}>
            {`Save the list as CSV (${numberText(shown.length)})`}
          </CommandWay>
          {canReset && <CommandWay onPress={() => onChoose('reset')}>Reset sprinkler locations…</CommandWay>}
        </ul>
      </Part>
    </Dialog>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classes.part} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

/** It holds on all maps of this person, as in the settings. */
function Shown() {
  const settings = useSettings();
  const queryClient = useQueryClient();
  return kinds.map(([name, label]) => (
    <SettingSwitch
      key={name}
      label={label}
      isOn={settings[name] ?? name !== 'displaySpares'}
      onChange={(isOn) => saveSettings(queryClient, { [name]: isOn })}
    />
  ));
}

/** What may not stand in a file's name everywhere. */
const BESIDES_WORDS = /[^\p{L}\p{N}_-]+/gu;

const save = (title: string, csv: string) =>
  saveFile({
    name: `Sprinklers-${title.replace(BESIDES_WORDS, '-')}.csv`,
    content: new Blob([csv], { type: 'text/csv' }),
  });
