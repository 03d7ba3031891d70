import { useMemo, useState } from 'react';
import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { Alert, listAlerts } from '@headrace/contract/alerts';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { isOfFarm } from '@headrace/contract/rules/alerts/alert-kinds';
import { SettingSwitch } from '../../forms/setting-switch.tsx';
import { Age } from '../../ui/age.tsx';
import { foldText } from '../../ui/fold-text.ts';
import { Panel } from '../../ui/panel.tsx';
import { useGrowing } from '../../ui/use-growing.ts';
import { alertSentence } from './alert-labels.ts';
import { Pause } from './pause.tsx';
import { useSwitchAlert, watchableQuery } from './alerts.queries.ts';
import entries from '../../ui/entries.module.css';
import classes from './alerts.module.css';

interface AlertListProps {
  farmUID: string;
  alerts: readonly Alert[];
  paused: Alert['paused'];
  pausedDevices: ReplyOf<typeof listAlerts>['pausedDevices'];
}

const ALL = { alertUID: null };
/** With more alerts than this there is a box to find one. */
const FIND_FROM = 12;
const DRAWN_AT_ONCE = 20;

/** The alerts of a farm: what each watches, whether it is on, and when it last told. */
export function AlertList({ farmUID, alerts, paused, pausedDevices }: AlertListProps) {
  const count = alerts.length;
  const [wanted, setWanted] = useState('');
  const { data: devices } = useQuery(watchableQuery(farmUID));
  const nameOf = useMemo(() => new Map(devices?.map(({ uid, name }) => [uid, name])), [devices]);
  const found = alerts.filter(({ name }) => foldText(name).includes(foldText(wanted)));
  const drawn = useGrowing(found.length, DRAWN_AT_ONCE);
  return (
    <Panel title={`${count} ${count === 1 ? 'alert' : 'alerts'}`}>
      <Pause farmUID={farmUID} of={ALL} name="all alerts of the farm" label="Pause all…" paused={paused} />
      <PausedDevices farmUID={farmUID} devices={pausedDevices} />
      {count > FIND_FROM && (
        <TextInput
          type="search"
          aria-label="Find an alert by its name"
          placeholder="Find an alert"
          leftSection={<IconSearch size={18} stroke={1.7} aria-hidden="true" />}
          value={wanted}
          onChange={({ currentTarget: { value } }) => setWanted(value)}
          className={classes.find ?? ''}
        />
      )}
      {found.length === 0 && <p className={classes.facts}>No alert has that name.</p>}
      <ul className={entries.list} aria-label="Alerts">
        {found.slice(0, drawn).map((alert) => (
          <Entry key={alert._id} alert={alert} nameOf={nameOf} />
        ))}
      </ul>
    </Panel>
  );
}

/** Nobody hears of them by other ways than the bell: it is said until when, and by whom. */
function PausedDevices({ farmUID, devices }: { farmUID: string; devices: AlertListProps['pausedDevices'] }) {
  if (devices.length === 0) return null;
  return (
    <ul className={classes.pausedDevices} aria-label="Paused devices">
      {devices.map(({ uid, name, ...paused }) => (
        <li key={uid} className={classes.answer}>
          <strong>{name}</strong>
          <Pause
            farmUID={farmUID}
            of={{ alertUID: null, deviceUID: uid }}
            name={`all alerts of ${name}`}
            paused={paused}
          />
        </li>
      ))}
    </ul>
  );
}

const watchesText = ({ kind, watches }: Alert) => {
  if (isOfFarm(kind)) return 'Watches the farm';
  return watches === 0 ? 'Watches nothing: the farm has no such device' : `Watches ${watches}`;
};

interface EntryProps {
  alert: Alert;
  /** Of the farm's devices. */
  nameOf: ReadonlyMap<string, string>;
}

function Entry({ alert, nameOf }: EntryProps) {
  const { _id, farmUID, name, enabled, lastNotifiedAt, deviceIds } = alert;
  const { mutate } = useSwitchAlert(farmUID);
  const names = deviceIds.flatMap((uid) => nameOf.get(uid) ?? []);
  return (
    <li className={entries.entry}>
      <div className={entries.about}>
        <h3 className={classes.name}>
          <Link to="/alerts/$id" params={{ id: _id }} className={classes.to}>
            {name}
          </Link>
        </h3>
        <p className={classes.sentence}>{alertSentence(alert, names)}</p>
        <p className={classes.facts}>
          {watchesText(alert)} ·{' '}
          {lastNotifiedAt === null ? 'told nothing yet' : <Age at={lastNotifiedAt}>last told</Age>}
        </p>
      </div>
      <div className={classes.ways}>
        <SettingSwitch
          label={enabled ? 'On' : 'Off'}
          name={`${name} is ${enabled ? 'on' : 'off'}`}
          isOn={enabled}
          onChange={(isOn) => mutate({ alert, enabled: isOn })}
        />
        {enabled && <Pause farmUID={farmUID} of={{ alertUID: _id }} name={name} paused={alert.paused} />}
      </div>
    </li>
  );
}
