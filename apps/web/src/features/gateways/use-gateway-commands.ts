import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { commandNeeds, type CommandName, needsList } from '@headrace/contract/command-types';
import type { CommandRequest } from '@headrace/contract/commands';
import type { Gateway } from '@headrace/contract/gateways';
import { useMissing } from '../../api/reach.ts';
import { mayOn, permissionsQuery } from '../../access/permissions.ts';
import { useLiveCommands, useSendCommand } from '../commands/commands.queries.ts';
import { refusals } from '../commands/refusals.ts';
import { commandFailureText } from '../commands/send-command.ts';

/** The last of its kind that was sent from here: what became of it, or why it wasn't sent. */
export type Sent = { commandId: string } | { error: string };
type Payload = NonNullable<CommandRequest['payload']>;

export const GATEWAY_AWAY = "Nothing can be sent while this gateway isn't connected to the server.";

/** What can be sent to a gateway from its dialog, and how that went. */
export function useGatewayCommands(gateway: Gateway) {
  const { farmUID, connected, sync, name, macAddress: mac, serialNumber } = gateway;
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const isAway = useMissing() !== null;
  const mutation = useSendCommand();
  const [sent, setSent] = useState<ReadonlyMap<CommandName, Sent>>(new Map());
  const [sending, setSending] = useState<readonly CommandName[]>([]);
  const [refused, setRefused] = useState<string | null>(null);
  useLiveCommands(farmUID);
  const end = (command: CommandName, news: Sent) => {
    setSending((before) => before.filter((other) => other !== command));
    setSent((before) => new Map([...before].filter(([other]) => other !== command)).set(command, news));
  };
  return {
    /** Null: it can be sent now. */
    whyNot(command: CommandName): string | null {
      if (!mayOn(permissions, farmUID, commandNeeds[command])) return refusals.noRight;
      if (isAway) return refusals.noConnection;
      if (!connected) return GATEWAY_AWAY;
      return sync && needsList(command) ? refusals.listNotLoaded : null;
    },
    send(command: CommandName, payload?: Payload): void {
      setRefused(null);
      setSending((before) => [...before, command]);
      const order = { command, farmUID, target: { name, mac, serialNumber }, ...(payload && { payload }) };
      void mutation.mutateAsync(order).then(
        ({ commandId }) => end(command, { commandId }),
        (error: unknown) => end(command, { error: commandFailureText(error) }),
      );
    },
    sent,
    isSending: (command: CommandName) => sending.includes(command),
    /** What somebody pressed that can't be done now, and why. */
    refused,
    refuse: (what: string, why: string) => setRefused(`${what}: ${why}`),
  };
}
export type GatewayCommands = ReturnType<typeof useGatewayCommands>;
