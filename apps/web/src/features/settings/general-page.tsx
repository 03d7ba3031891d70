import { useQueryClient } from '@tanstack/react-query';
import { SettingSwitch } from '../../forms/setting-switch.tsx';
import { saveSettings, useSettings } from '../../preferences/settings.queries.ts';
import classes from './settings.module.css';

const toggles = [
  ['displayTooltips', 'Display Tooltips', 'Short help where the pointer rests'],
  ['showSpareReadyDialog', 'Display Spare Ready confirm dialog', 'Asks before a ready spare is put to use'],
  ['displayPOI', 'Display POIs', 'Points of interest on the sprinkler and tank maps'],
  ['displaySensors', 'Display Sensors', 'Sensors on the sprinkler map'],
  ['displaySpares', 'Display Spares', 'Spares on the sprinkler map and in its list'],
] as const;

/** What holds on all farms. */
export function GeneralPage() {
  const settings = useSettings();
  const queryClient = useQueryClient();
  return (
    <div className={classes.rows}>
      {toggles.map(([name, label, hint]) => (
        <SettingSwitch
          key={name}
          label={label}
          hint={hint}
          isOn={settings[name] ?? false}
          onChange={(isOn) => saveSettings(queryClient, { [name]: isOn })}
        />
      ))}
    </div>
  );
}
