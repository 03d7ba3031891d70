import { useId, useState } from 'react';
import { Button } from '@mantine/core';
import {
  IconAntenna,
  IconClockEdit,
  IconDots,
  IconListCheck,
  IconRefreshDot,
  IconReportAnalytics,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { commandTitles, type CommandName } from '@headrace/contract/command-types';
import type { Gateway } from '@headrace/contract/gateways';
import { needs } from '@headrace/contract/permissions';
import { useCan } from '../../access/permissions.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { CommandOutcome } from '../commands/command-outcome.tsx';
import { type GatewayOrder, ordersFor } from './gateway-orders.ts';
import { GatewayQuestions } from './gateway-questions.tsx';
import { GATEWAY_AWAY, type GatewayCommands, useGatewayCommands } from './use-gateway-commands.ts';
import classes from './gateway-dialog.module.css';

const icons: Partial<Record<CommandName, typeof IconAntenna>> = {
  Ping: IconAntenna,
  IncStatusReq: IconReportAnalytics,
  IncTimeSet: IconClockEdit,
  UpdateINCList: IconListCheck,
  RefreshAll: IconRefreshDot,
};

/** What can be sent to a gateway from its dialog, and how each ended. */
export function GatewayActions({ gateway }: { gateway: Gateway }) {
  const { farmUID, connected } = gateway;
  const canRead = useCan(needs.readCommands, farmUID);
  const canEdit = useCan(needs.editGateways, farmUID);
  const commands = useGatewayCommands(gateway);
  const [asked, setAsked] = useState<GatewayOrder | null>(null);
  const press = (order: GatewayOrder) =>
    order.first === 'nothing' ? commands.send(order.command) : setAsked(order);
  return (
    <section className={classes.actions}>
      <h3 className={classes.columnTitle}>Commands</h3>
      <Buttons orders={ordersFor(gateway.type)} commands={commands} onPress={press} />
      <p role="status" className={classes.refused}>
        {commands.refused}
      </p>
      {!connected && <p className={classes.dim}>{GATEWAY_AWAY}</p>}
      <ul className={classes.outcomes} aria-live="polite" aria-label="What became of them">
        {[...commands.sent].map(([command, sent]) => (
          <li key={command}>
            <b>{commandTitles[command]}:</b>{' '}
            {'error' in sent ? (
              sent.error
            ) : (
              <CommandOutcome farmUID={farmUID} commandId={sent.commandId} canRead={canRead} />
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
      <GatewayQuestions {...{ asked, gateway, commands }} onClose={() => setAsked(null)} />
    </section>
  );
}

interface ButtonsProps {
  orders: readonly GatewayOrder[];
  commands: GatewayCommands;
  onPress: (order: GatewayOrder) => void;
}

/** Those that are often wanted; the others once they are asked for. */
function Buttons({ orders, commands, onPress }: ButtonsProps) {
  const [isMore, setIsMore] = useState(false);
  const id = useId();
  const often = orders.filter(({ isSeldom }) => !isSeldom);
  const seldom = orders.filter(({ isSeldom }) => isSeldom);
  const button = (order: GatewayOrder) => (
    <OrderButton key={order.command} {...{ order, commands, onPress }} />
  );
  return (
    <div role="group" aria-label="Commands">
      <div className={classes.buttons}>
        {often.map(button)}
        {seldom.length > 0 && (
          <Button
            variant="default"
            mih={44}
            leftSection={<IconDots size={18} stroke={1.7} aria-hidden="true" />}
            aria-expanded={isMore}
            aria-controls={id}
            onClick={() => setIsMore(!isMore)}
          >
            {isMore ? 'Fewer' : 'More…'}
          </Button>
        )}
      </div>
      {seldom.length > 0 && (
        <div id={id} className={classes.buttons} hidden={!isMore}>
          {isMore && seldom.map(button)}
        </div>
      )}
    </div>
  );
}

function OrderButton({ order, commands, onPress }: Omit<ButtonsProps, 'orders'> & { order: GatewayOrder }) {
  const { command, first } = order;
  const Icon = icons[command];
  const title = commandTitles[command];
  return (
    <CommandButton
      why={commands.whyNot(command)}
      isBusy={commands.isSending(command)}
      icon={Icon && <Icon size={18} stroke={1.7} aria-hidden="true" />}
      onPress={() => onPress(order)}
      onRefused={(why) => commands.refuse(title, why)}
    >
      {first === 'nothing' ? title : `${title}…`}
    </CommandButton>
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
