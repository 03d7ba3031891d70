import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, errorText } from '../../api/client.ts';
import type { SettingsSearch } from '../../preferences/settings-search.ts';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toasts.ts';
import { useSearchPatch } from '../../ui/url-state.ts';
import { alertsQuery } from './alerts.queries.ts';
import classes from './alerts.module.css';

/** Whoever takes this farm's silence for calm should know that nobody would be told while the app is closed. */
export function InBellAlone({ farmUID }: { farmUID: string }) {
  const queryClient = useQueryClient();
  const patch = useSearchPatch<SettingsSearch>();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { sendSms, sendPush, sendAction } = await call('GET /notifications');
      return call('PUT /notification/settings', { body: { sendSms, sendPush, sendAction, sendEmail: true } });
    },
    onError: (error) => toast.error(errorText(error)),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['notifications'] });
      return queryClient.invalidateQueries({ queryKey: alertsQuery(farmUID).queryKey });
    },
  });
  return (
    <Panel title="Alerts are in the bell alone">
      <p className={classes.facts}>
        Nobody of this farm takes e-mail, instant messages or SMS: while Headrace is closed, nobody hears of
        what happens.
      </p>
      <div className={classes.answer}>
        <Button mih={44} loading={isPending} onClick={() => mutate()}>
          Send me e-mails
        </Button>
        <Button mih={44} variant="default" onClick={() => patch({ settings: 'alerts' })}>
          Other ways
        </Button>
      </div>
    </Panel>
  );
}
