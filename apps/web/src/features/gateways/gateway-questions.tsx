import { Button } from '@mantine/core';
import { commandTitles } from '@headrace/contract/command-types';
import type { Gateway } from '@headrace/contract/gateways';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { ManyDialogHost } from '../commands/many/many-dialog-host.tsx';
import { FARM } from '../commands/many/many-orders.ts';
import type { GatewayOrder } from './gateway-orders.ts';
import { GatewaySettingsDialog } from './gateway-settings-dialog.tsx';
import type { GatewayCommands } from './use-gateway-commands.ts';
import classes from './gateway-dialog.module.css';

interface Props {
  asked: GatewayOrder | null;
  gateway: Gateway;
  commands: GatewayCommands;
  onClose: () => void;
}

/** What is asked before something is sent to a gateway, in front of its dialog. */
export function GatewayQuestions({ asked, gateway, commands, onClose }: Props) {
  if (!asked) return null;
  switch (asked.first) {
    case 'nothing':
      return null;
    case 'question':
      return <Question {...{ gateway, commands, onClose }} order={asked} />;
    case 'settings':
      return <GatewaySettingsDialog {...{ gateway, commands, onClose }} />;
    case 'plan': {
      const { farmUID, name, macAddress: mac, serialNumber } = gateway;
      const scope = { farmUID, groupUID: FARM, name, gateway: { name, mac, serialNumber } };
      return <ManyDialogHost command={asked.plan} scope={scope} onClose={onClose} />;
    }
    default:
      return asked satisfies never;
  }
}

function Question({
  order,
  gateway,
  commands,
  onClose,
}: Omit<Props, 'asked'> & { order: GatewayOrder & { first: 'question' } }) {
  const { title, texts } = order.question(gateway);
  const send = () => {
    onClose();
    commands.send(order.command);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {texts.map((text) => (
        <p key={text} className={classes.question}>
          {text}
        </p>
      ))}
      <Ways>
        <Button variant="default" mih={44} onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button mih={44} onClick={send}>
          {commandTitles[order.command]}
        </Button>
      </Ways>
    </Dialog>
  );
}
