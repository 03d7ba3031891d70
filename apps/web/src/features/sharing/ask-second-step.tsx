import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { SECOND_STEP_GRACE_DAYS } from '@headrace/contract/limits';
import type { SharersSecondStep } from '@headrace/contract/sharing';
import { call, errorText } from '../../api/client.ts';
import { SettingSwitch } from '../../forms/setting-switch.tsx';
import { useNow } from '../../ui/clock.ts';
import { exactTime } from '../../ui/format.ts';
import { toast } from '../../ui/toasts.ts';
import { sharersSecondStepQuery } from './sharing.queries.ts';
import classes from './sharing.module.css';

/** An owner asks the people whom farms are shared with for a second step of signing in. */
export function AskSecondStep() {
  const queryClient = useQueryClient();
  const now = useNow();
  const { data } = useQuery(sharersSecondStepQuery);
  const ask = useMutation({
    mutationFn: (required: boolean) => call('PUT /sharing/second-step', { body: { required } }),
    onSuccess: (state) => queryClient.setQueryData(sharersSecondStepQuery.queryKey, state),
    onError: (error) => toast.error(errorText(error)),
  });
  if (!data) return null;
  return (
    <div className={classes.ask}>
      <SettingSwitch
        label="Ask everyone for two-step sign-in"
        hint={hintOf(data, now)}
        isOn={data.from !== null}
        disabled={ask.isPending}
        onChange={(required) => ask.mutate(required)}
      />
    </div>
  );
}

function hintOf({ from, without }: SharersSecondStep, now: number): string {
  if (from === null)
    return `Whoever has none after ${SECOND_STEP_GRACE_DAYS} days can't open your farms until it is set up. They are told at once, and alerts go on.`;
  const names = without.map(({ name }) => name).join(', ');
  if (names === '') return 'Everyone has it.';
  const [day] = exactTime(Date.parse(from)).split(' ');
  return Date.parse(from) > now
    ? `Not set up yet: ${names}. From ${day} on they can't open your farms without it.`
    : `Can't open your farms, because it isn't set up: ${names}.`;
}
