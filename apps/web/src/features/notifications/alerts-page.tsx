import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NotificationPreferences, Notifications } from '@headrace/contract/notifications';
import { call, errorText } from '../../api/client.ts';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { useSession } from '../accounts/use-session.ts';
import { SettingSwitch } from '../settings/setting-switch.tsx';
import { notificationsQuery } from './notifications.queries.ts';

const toggles = [
  ['sendSms', 'SMS'],
  ['sendPush', 'Instant Messages'],
  ['sendEmail', 'Email'],
  ['sendAction', 'Action Notifications'],
] as const;

/** By which ways one hears of what happens. */
export function AlertsPage() {
  return (
    <StateView
      query={useQuery(notificationsQuery)}
      skeleton={<div aria-busy="true" style={{ minHeight: 200 }} />}
      failed="Your alerts couldn't be loaded"
    >
      {(notifications) => <Preferences notifications={notifications} />}
    </StateView>
  );
}

function Preferences({ notifications }: { notifications: Notifications }) {
  const { hasMobile } = useSession();
  const prefer = usePreferences();
  const { sendSms, sendPush, sendEmail, sendAction } = notifications;
  const now: NotificationPreferences = { sendSms, sendPush, sendEmail, sendAction };
  return toggles.map(([name, label]) => {
    const isMissing = name === 'sendSms' && !hasMobile;
    return (
      <SettingSwitch
        key={name}
        label={label}
        hint={isMissing ? 'Your account has no mobile number' : undefined}
        isOn={now[name] && !isMissing}
        disabled={isMissing}
        onChange={(isOn) => prefer({ ...now, [name]: isOn })}
      />
    );
  });
}

/** Preferences hold at once, and again as they were when they couldn't be stored. */
function usePreferences(): (preferences: NotificationPreferences) => void {
  const queryClient = useQueryClient();
  const show = (preferences: NotificationPreferences) =>
    queryClient.setQueryData(
      notificationsQuery.queryKey,
      (before) => before && { ...before, ...preferences },
    );
  return useMutation({
    mutationFn: (body: NotificationPreferences) => call('PUT /notification/settings', { body }),
    onMutate: show,
    onSuccess: show,
    onError: (error) => {
      toast.error(errorText(error));
      void queryClient.invalidateQueries({ queryKey: notificationsQuery.queryKey });
    },
  }).mutate;
}
