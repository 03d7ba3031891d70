import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call, errorText } from '../api/client.ts';
import type { SettingsSearch } from '../preferences/settings-search.ts';
import { viewerZone } from '../ui/format.ts';
import { PlainButton } from '../ui/plain-button.tsx';
import { toast } from '../ui/toasts.ts';
import { useSearchPatch } from '../ui/url-state.ts';
import classes from './open-alerts.module.css';

/** Whoever takes a farm's silence for calm should know that nobody would be told while the app is closed. */
export function BellAlone() {
  const queryClient = useQueryClient();
  const patch = useSearchPatch<SettingsSearch>();
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { sendSms, sendPush, sendAction } = await call('GET /notifications');
      return call('PUT /notification/settings', {
        body: { sendSms, sendPush, sendAction, sendEmail: true, zone: viewerZone() },
      });
    },
    onError: (error) => toast.error(errorText(error)),
    onSuccess: () =>
      Promise.all(
        [['notifications'], ['alerts'], ['open-alerts']].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
  return (
    <div className={classes.alone}>
      <p className={classes.aloneText}>
        Nobody of this farm takes e-mail, instant messages or SMS: while Headrace is closed, nobody hears of
        what happens.
      </p>
      <div className={classes.aloneWays}>
        <PlainButton onClick={() => mutate()} disabled={isPending}>
          Send me e-mails
        </PlainButton>
        <PlainButton onClick={() => patch({ settings: 'alerts' })}>Other ways</PlainButton>
      </div>
    </div>
  );
}
