import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Alert } from '@headrace/contract/alerts';
import { usualAlerts } from '@headrace/contract/rules/alerts/alert-kinds';
import { call, errorText } from '../../api/client.ts';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toasts.ts';
import { alertsQuery } from './alerts.queries.ts';
import { entryOf, newAlert } from './alert-values.ts';
import classes from './alerts.module.css';

/** What new farms are told without asking; a farm that was there before is offered what it lacks. */
export function UsualAlerts({ farmUID, alerts }: { farmUID: string; alerts: readonly Alert[] }) {
  const queryClient = useQueryClient();
  const lacking = usualAlerts.filter(({ kind }) => !alerts.some((alert) => alert.kind === kind));
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      for (const { kind, name } of lacking)
        await call('POST /alert', { body: { farmUID, ...entryOf({ ...newAlert(kind), name }) } });
    },
    onError: (error) => toast.error(errorText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: alertsQuery(farmUID).queryKey }),
  });
  if (lacking.length === 0) return null;
  return (
    <Panel title={alerts.length === 0 ? 'No alerts yet' : 'Usual alerts'}>
      <p className={classes.facts}>
        Most farms want to know of these at once: {lacking.map(({ name }) => name.toLowerCase()).join(', ')}.
      </p>
      <Button mt={12} mih={44} loading={isPending} onClick={() => mutate()}>
        {lacking.length === 1 ? 'Add it' : `Add these ${lacking.length}`}
      </Button>
    </Panel>
  );
}
