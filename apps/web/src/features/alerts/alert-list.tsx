import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { Alert, listAlerts } from '@headrace/contract/alerts';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { isOfFarm } from '@headrace/contract/rules/alerts/alert-kinds';
import { SettingSwitch } from '../../forms/setting-switch.tsx';
import { Age } from '../../ui/age.tsx';
import { Panel } from '../../ui/panel.tsx';
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

/** The alerts of a farm: what each watches, whether it is on, and when it last told. */
export function AlertList({ farmUID, alerts, paused, pausedDevices }: AlertListProps) {
  const count = alerts.length;
  return (
    <Panel title={`${count} ${count === 1 ? 'alert' : 'alerts'}`}>
      <Pause farmUID={farmUID} of={ALL} name="all alerts of the farm" label="Pause all…" paused={paused} />
      <PausedDevices farmUID={farmUID} devices={pausedDevices} />
      <ul className={entries.list} aria-label="Alerts">
        {alerts.map((alert) => (
          <Entry key={alert._id} alert={alert} />
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

function Entry({ alert }: { alert: Alert }) {
  const { _id, farmUID, name, enabled, lastToldAt, deviceIds } = alert;
  const { data: devices = [] } = useQuery(watchableQuery(farmUID));
  const { mutate } = useSwitchAlert(farmUID);
  const chosen = new Set(deviceIds);
  const names = devices.filter(({ uid }) => chosen.has(uid)).map((device) => device.name);
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
          {lastToldAt === null ? 'told nothing yet' : <Age at={lastToldAt}>last told</Age>}
        </p>
        {enabled && <Pause farmUID={farmUID} of={{ alertUID: _id }} name={name} paused={alert.paused} />}
      </div>
      <SettingSwitch
        label={`${name} is ${enabled ? 'on' : 'off'}`}
        isOn={enabled}
        onChange={(isOn) => mutate({ alert, enabled: isOn })}
      />
    </li>
  );
}
