import { useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  IconAntenna,
  IconClockEdit,
  IconListCheck,
  IconRefreshDot,
  IconReportAnalytics,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { commandNeeds, commandTitles, type CommandName } from '@headrace/contract/command-types';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import type { Gateway } from '@headrace/contract/gateways';
import { needs } from '@headrace/contract/permissions';
import { mayOn, permissionsQuery, useCan } from '../../access/permissions.ts';
import { useLiveCommands, useSendCommand } from '../commands/commands.queries.ts';
import { commandFailureText } from '../commands/send-command.ts';
import { CommandOutcome } from '../commands/command-outcome.tsx';
import classes from './gateway-dialog.module.css';

const actions = [
  { command: 'Ping', Icon: IconAntenna },
  { command: 'IncStatusReq', Icon: IconReportAnalytics },
  { command: 'IncTimeSet', Icon: IconClockEdit },
  { command: 'UpdateINCList', Icon: IconListCheck },
  { command: 'RefreshAll', Icon: IconRefreshDot },
] as const satisfies readonly { command: CommandName; Icon: unknown }[];

/** These two are for an INC alone. */
const incOnly: ReadonlySet<CommandName> = new Set(['IncStatusReq', 'RefreshAll']);

/** The last of its kind that was sent from here: what became of it, or why it wasn't sent. */
type Sent = { command: CommandName } & ({ commandId: string } | { error: string });
const OFFLINE_ID = 'gateway-offline';
const FORBIDDEN_ID = 'gateway-forbidden';

/** What can be sent to a gateway from its dialog, and how each ended. */
export function GatewayActions({ gateway }: { gateway: Gateway }) {
  const { farmUID, connected, name, macAddress: mac, serialNumber } = gateway;
  const [sent, setSent] = useState<readonly Sent[]>([]);
  const send = useSendCommand();
  const canRead = useCan(needs.readCommands, farmUID);
  const canEdit = useCan(needs.editGateways, farmUID);
  const { data: permissions = [] } = useQuery(permissionsQuery);
  const may = (command: CommandName) => mayOn(permissions, farmUID, commandNeeds[command]);
  const offered = actions.filter(({ command }) => gateway.type === gatewayTypes.INC || !incOnly.has(command));
  const why = (command: CommandName) => {
    if (!may(command)) return FORBIDDEN_ID;
    return connected ? undefined : OFFLINE_ID;
  };
  useLiveCommands(farmUID);
  const note = (news: Sent) =>
    setSent((before) => [...before.filter(({ command }) => command !== news.command), news]);
  const start = (command: CommandName) =>
    send.mutate(
      { command, farmUID, target: { name, mac, serialNumber } },
      {
        onSuccess: ({ commandId }) => note({ command, commandId }),
        onError: (error) => note({ command, error: commandFailureText(error) }),
      },
    );
  return (
    <section className={classes.actions}>
      <h3 className={classes.columnTitle}>Commands</h3>
      <div className={classes.buttons}>
        {offered.map(({ command, Icon }) => (
          <ActionButton
            key={command}
            command={command}
            icon={<Icon size={18} stroke={1.7} aria-hidden="true" />}
            isDisabled={!connected || send.isPending || !may(command)}
            isSending={send.isPending && send.variables.command === command}
            why={why(command)}
            onClick={() => start(command)}
          />
        ))}
      </div>
      {!connected && (
        <p id={OFFLINE_ID} className={classes.dim}>
          Nothing can be sent while this gateway isn't connected to the server.
        </p>
      )}
      {!offered.every(({ command }) => may(command)) && (
        <p id={FORBIDDEN_ID} className={classes.dim}>
          You may not send all of these on this farm.
        </p>
      )}
      <ul className={classes.outcomes} aria-live="polite" aria-label="What became of them">
        {sent.map((item) => (
          <li key={item.command}>
            <b>{commandTitles[item.command]}:</b>{' '}
            {'error' in item ? (
              item.error
            ) : (
              <CommandOutcome farmUID={farmUID} commandId={item.commandId} canRead={canRead} />
            )}
          </li>
        ))}
      </ul>
      <EditLink gateway={gateway} isDisabled={!canEdit} />
      {canRead && (
        <Link to="/commands/$farmUID" params={{ farmUID }} className={classes.logLink}>
          All commands of this farm
        </Link>
      )}
    </section>
  );
}

function EditLink({ gateway, isDisabled }: { gateway: Gateway; isDisabled: boolean }) {
  const { farmUID, _id: id } = gateway;
  if (isDisabled)
    return (
      <span role="link" aria-disabled="true" className={classes.noLink}>
        Edit gateway
      </span>
    );
  return (
    <Link to="/gateway-device/$farmUID/$id" params={{ farmUID, id }} className={classes.logLink}>
      Edit gateway
    </Link>
  );
}

interface ActionButtonProps {
  command: CommandName;
  icon: ReactNode;
  isDisabled: boolean;
  isSending: boolean;
  /** Id of the text that says why it is disabled. */
  why: string | undefined;
  onClick: () => void;
}

function ActionButton({ command, icon, isDisabled, isSending, why, onClick }: ActionButtonProps) {
  return (
    <Button
      variant="default"
      leftSection={icon}
      disabled={isDisabled && !isSending}
      loading={isSending}
      aria-describedby={why}
      onClick={onClick}
    >
      {commandTitles[command]}
    </Button>
  );
}
