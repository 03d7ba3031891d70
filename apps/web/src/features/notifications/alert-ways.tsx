import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  type AlertWay,
  alertWays,
  type AlertWays as Ways,
  type NotificationTimes,
} from '@headrace/contract/notification-ways';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import { alertClasses, type AlertClass } from '@headrace/contract/rules/alerts/alert-kinds';
import { call, errorText } from '../../api/client.ts';
import { alertClassLabels } from '../../device-records/open-alerts.ts';
import { ClockField } from '../../forms/clock-field.tsx';
import { minuteOf } from '../../forms/minute-of.ts';
import { SettingSwitch } from '../../forms/setting-switch.tsx';
import { viewerZone } from '../../ui/format.ts';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { notificationWaysQuery } from './notifications.queries.ts';
import classes from './notifications.module.css';

const NIGHT = { from: '21:00', to: '06:00' };
const wayLabels: Readonly<Record<AlertWay, string>> = { push: 'Instant message', sms: 'SMS', email: 'Email' };

/** When it is quiet, and what of alerts goes by which way. The bell has all of them. */
export function AlertWays() {
  return (
    <StateView
      query={useQuery(notificationWaysQuery)}
      skeleton={<div style={{ minHeight: 200 }} />}
      failed="Your quiet hours couldn't be loaded"
    >
      {(times) => <Times times={times} />}
    </StateView>
  );
}

function Times({ times }: { times: NotificationTimes }) {
  const store = useSave();
  const { quiet, ways, digest = true, escalations = true } = times;
  const save = (changed: Partial<NotificationTimes>) =>
    store({ quiet, ways, digest, escalations, ...changed });
  return (
    <>
      <section className={classes.section} aria-labelledby="quiet-hours">
        <h3 id="quiet-hours" className={classes.sectionTitle}>
          Quiet hours
        </h3>
        <SettingSwitch
          label="Quiet hours"
          hint="Urgent alerts pass. The rest is in the bell, and told when they end if it is still so."
          isOn={quiet !== null}
          onChange={(isOn) => save({ quiet: isOn ? { ...NIGHT, zone: viewerZone() } : null })}
        />
        {quiet && (
          <Hours
            key={`${quiet.from} ${quiet.to}`}
            quiet={quiet}
            onChange={(hours) => save({ quiet: { ...quiet, ...hours, zone: viewerZone() } })}
          />
        )}
      </section>
      <section className={classes.section} aria-labelledby="alert-ways">
        <h3 id="alert-ways" className={classes.sectionTitle}>
          Alerts by how urgent they are
        </h3>
        <p className={classes.hint}>Of the ways that are on above. The bell has all of them.</p>
        {alertClasses.toReversed().map((of) => (
          <ClassWays key={of} of={of} ways={ways} onChange={(changed) => save({ ways: changed })} />
        ))}
        <SettingSwitch
          label="Escalations"
          hint="Tell me of alerts that name me for where nobody else answers. Off: others are told instead, and who set that sees it."
          isOn={escalations}
          onChange={(isOn) => save({ escalations: isOn })}
        />
        <SettingSwitch
          label="Digest"
          hint="At 06:30 by the farm's clock, where there was anything: what is open, what came and went, and what was held back. By e-mail, else as an instant message."
          isOn={digest}
          onChange={(isOn) => save({ digest: isOn })}
        />
      </section>
    </>
  );
}

interface HoursProps {
  quiet: { from: string; to: string; zone: string };
  onChange: (hours: { from: string; to: string }) => void;
}

/** Saved when a field is left with a time in it. */
function Hours({ quiet, onChange }: HoursProps) {
  const [hours, setHours] = useState({ from: quiet.from, to: quiet.to });
  const [isLeft, setIsLeft] = useState(false);
  const leave = () => {
    setIsLeft(true);
    const [from, to] = [minuteOf(hours.from), minuteOf(hours.to)];
    if (from === null || to === null) return;
    const entered = { from: clockText(from), to: clockText(to) };
    if (entered.from !== quiet.from || entered.to !== quiet.to) onChange(entered);
  };
  return (
    <div className={classes.hours}>
      {(['from', 'to'] as const).map((end) => (
        <ClockField
          key={end}
          label={end === 'from' ? 'From' : 'To'}
          value={hours[end]}
          error={isLeft && minuteOf(hours[end]) === null && 'Please give a time as HH:mm.'}
          onChange={(value) => setHours((before) => ({ ...before, [end]: value }))}
          onBlur={leave}
        />
      ))}
      <p className={classes.hint}>By the clock of {quiet.zone.replaceAll('_', ' ')}.</p>
    </div>
  );
}

interface ClassWaysProps {
  of: AlertClass;
  ways: Ways;
  onChange: (ways: Ways) => void;
}

function ClassWays({ of, ways, onChange }: ClassWaysProps) {
  const chosen = ways[of];
  return (
    <fieldset className={classes.ways}>
      <legend className={classes.waysOf}>{alertClassLabels[of]}</legend>
      {alertWays.map((way) => (
        <label key={way} className={classes.way}>
          <input
            type="checkbox"
            checked={chosen.includes(way)}
            onChange={({ currentTarget: { checked } }) =>
              onChange({
                ...ways,
                [of]: alertWays.filter((one) => (one === way ? checked : chosen.includes(one))),
              })
            }
          />
          {wayLabels[way]}
        </label>
      ))}
    </fieldset>
  );
}

/** Holds at once, and as it was where that could not be stored. */
function useSave(): (times: NotificationTimes) => void {
  const queryClient = useQueryClient();
  const { queryKey } = notificationWaysQuery;
  return useMutation({
    mutationFn: (body: NotificationTimes) => call('PUT /notification/ways', { body }),
    onMutate: (times) => queryClient.setQueryData(queryKey, times),
    onError: (error) => {
      toast.error(errorText(error));
      void queryClient.invalidateQueries({ queryKey });
    },
  }).mutate;
}
