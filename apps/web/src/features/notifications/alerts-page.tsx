import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NotificationPreferences, Notifications } from '@headrace/contract/notifications';
import { call, errorText } from '../../api/client.ts';
import { viewerZone } from '../../ui/format.ts';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { useSession } from '../../session/use-session.ts';
import { SettingSwitch } from '../../forms/setting-switch.tsx';
import { change, notificationsQuery } from './notifications.queries.ts';
import { AlertWays } from './alert-ways.tsx';
import { HeldBack } from './held-back.tsx';
import { isAppleDevice } from './push.ts';
import { PushDevices } from './push-devices.tsx';
import { TestWays } from './test-ways.tsx';
import classes from './notifications.module.css';

const toggles = [
  ['sendSms', 'SMS'],
  ['sendPush', 'Instant Messages'],
  ['sendEmail', 'Email'],
  ['sendAction', 'Action Notifications'],
] as const;
type Way = (typeof toggles)[number][0];

/** By which ways one hears of what happens, and which browsers take instant messages. */
export function AlertsPage() {
  return (
    <StateView
      query={useQuery(notificationsQuery)}
      skeleton={<div style={{ minHeight: 200 }} />}
      failed="Your alerts couldn't be loaded"
    >
      {(notifications) => <Ways notifications={notifications} />}
    </StateView>
  );
}

function Ways({ notifications }: { notifications: Notifications }) {
  const { hasMobile } = useSession();
  const prefer = usePreferences();
  const { sendSms, sendPush, sendEmail, sendAction } = notifications;
  const now: NotificationPreferences = { sendSms, sendPush, sendEmail, sendAction };
  const notes: Partial<Record<Way, string>> = {
    ...(!hasMobile && { sendSms: 'Your account has no mobile number. Add one in Account Details.' }),
    ...(isAppleDevice() && { sendPush: "Instant messages aren't available on Apple devices." }),
  };
  return (
    <>
      <div className={classes.switches}>
        {toggles.map(([way, label]) => (
          <SettingSwitch
            key={way}
            label={label}
            hint={notes[way] ?? hints[way]}
            isOn={now[way] && !(way === 'sendSms' && !hasMobile)}
            disabled={notes[way] !== undefined}
            onChange={(isOn) => prefer({ ...now, [way]: isOn })}
          />
        ))}
      </div>
      <PushDevices
        wanted={sendPush}
        // Whoever subscribes wants the messages.
        onSubscribed={() => !sendPush && prefer({ ...now, sendPush: true })}
      />
      <AlertWays />
      <HeldBack />
      <TestWays
        ways={[
          ...(sendSms && hasMobile ? (['sms'] as const) : []),
          ...(sendPush ? (['push'] as const) : []),
          ...(sendEmail ? (['email'] as const) : []),
        ]}
      />
    </>
  );
}

const hints: Partial<Record<Way, string>> = {
  sendPush: 'To the browsers below, also while Headrace is closed.',
  sendAction: 'Messages on the screen about what became of commands.',
};

/** Preferences hold at once, and again as they were when they couldn't be stored. */
function usePreferences(): (preferences: NotificationPreferences) => void {
  const queryClient = useQueryClient();
  const show = (preferences: NotificationPreferences) =>
    change(queryClient, (before) => ({ ...before, ...preferences }));
  return useMutation({
    mutationFn: (body: NotificationPreferences) =>
      call('PUT /notification/settings', { body: { ...body, zone: viewerZone() } }),
    onMutate: show,
    onSuccess: show,
    onError: (error) => {
      toast.error(errorText(error));
      void queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey });
    },
  }).mutate;
}
