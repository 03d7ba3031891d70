import { Button } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { commandNeeds, commandTitles } from '@headrace/contract/command-types';
import { call } from '../../api/client.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { useCan } from '../../access/permissions.ts';
import { useSendCommand } from '../commands/commands.queries.ts';
import { WHOLE_FARM } from '../commands/send-command.ts';
import classes from './device-list.module.css';

const ASK_MS = 10_000;

const listBehindQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['list-behind', farmUID],
    queryFn: async ({ signal }) =>
      (await call('GET /irrigation/devices/has-changes', { query: { farmUID }, signal })).sync,
    staleTime: 0,
    meta: { live: ['gateway'], farmUID },
    // Until the gateway has acknowledged the list.
    refetchInterval: ({ state }) => (state.data ? ASK_MS : false),
  });

interface Props {
  farmUID: string;
  /** Of the button; the command's own unless it is said. */
  button?: string;
}

/** A gateway doesn't hold the newest list of units: what that means, and the command that mends it. */
export function ListBehind({ farmUID, button = commandTitles.UpdateINCList }: Props) {
  const { data: isBehind } = useQuery(listBehindQuery(farmUID));
  const maySend = useCan(commandNeeds.UpdateINCList, farmUID);
  const send = useSendCommand();
  if (!isBehind) return null;
  return (
    <div className={classes.notice} role="status">
      <ConditionDot condition="caution" size={18} label={null} />
      <span>
        The sprinklers list needs sending: the gateway doesn't hold the newest changes, and commands are
        blocked until it does. It is sent by itself a minute after the last change.
      </span>
      {maySend && (
        <Button
          mih={44}
          loading={send.isPending}
          onClick={() => send.mutate({ command: 'UpdateINCList', farmUID, target: WHOLE_FARM })}
        >
          {button}
        </Button>
      )}
    </div>
  );
}
