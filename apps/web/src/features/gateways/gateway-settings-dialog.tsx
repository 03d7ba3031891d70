import { useState } from 'react';
import { Button } from '@mantine/core';
import type { Gateway } from '@headrace/contract/gateways';
import { type GatewaySetting, settingFault } from '@headrace/contract/rules/gateway-settings';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { type EnteredNumber, enteredNumber, NumberField } from '../../forms/fields.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { settingLabels, settingsOf } from './setting-labels.ts';
import type { GatewayCommands } from './use-gateway-commands.ts';
import classes from './gateway-dialog.module.css';

interface Props {
  gateway: Gateway;
  commands: GatewayCommands;
  onClose: () => void;
}

/** Settings that the gateway keeps itself: as it last reported them, and to be sent where they are changed. */
export function GatewaySettingsDialog({ gateway, commands, onClose }: Props) {
  const isMobile = useIsMobile();
  const [entered, setEntered] = useState<Entered>({});
  const [isAsked, setIsAsked] = useState(false);
  const names = settingsOf[gateway.type] ?? [];
  const valueOf = (name: GatewaySetting) => entered[name] ?? reported(gateway, name);
  const changed = changedSettings(gateway, names, entered);
  const faults = faultsOf(changed);
  const isReady = Object.keys(changed).length > 0 && faults.size === 0;
  const send = () => {
    setIsAsked(true);
    if (!isReady) return;
    onClose();
    commands.send('UpdateSettings', { settings: changed });
  };
  return (
    <Dialog title={`Settings of ${gateway.name}`} onClose={onClose} isFullScreen={isMobile}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <p className={classes.question}>
          Filled in as it last reported them. Only what you change is sent. It counts once the gateway has
          answered, and is shown here with its next report.
        </p>
        <div className={classes.settings}>
          {names.map((name) => (
            <NumberField
              key={name}
              name={name}
              {...settingLabels[name]}
              isWhole={name !== 'chargeThreshold'}
              value={valueOf(name)}
              onChange={(value) => setEntered((before) => ({ ...before, [name]: value }))}
              onBlur={() => undefined}
              error={isAsked ? faults.get(name) : undefined}
            />
          ))}
        </div>
        {isAsked && Object.keys(changed).length === 0 && (
          <p role="alert" className={classes.nothing}>
            Nothing is changed: change what is to be sent.
          </p>
        )}
        <Ways isLong>
          <Button variant="default" mih={44} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" mih={44}>
            Send settings
          </Button>
        </Ways>
      </form>
    </Dialog>
  );
}

type Entered = Partial<Record<GatewaySetting, EnteredNumber>>;

/** Empty where it hasn't said. */
function reported({ settings }: Gateway, name: GatewaySetting): EnteredNumber {
  const value = settings[name];
  return typeof value === 'number' ? value : '';
}

/** What was made different from what the gateway says; emptied, it is left as it is. */
function changedSettings(
  gateway: Gateway,
  names: readonly GatewaySetting[],
  entered: Entered,
): Partial<Record<GatewaySetting, number>> {
  const changed: Partial<Record<GatewaySetting, number>> = {};
  for (const name of names) {
    const value = enteredNumber(entered[name]);
    if (value !== null && value !== gateway.settings[name]) changed[name] = value;
  }
  return changed;
}

function faultsOf(changed: Partial<Record<GatewaySetting, number>>): Map<GatewaySetting, string> {
  const faults = new Map<GatewaySetting, string>();
  for (const [name, value] of Object.entries(changed) as [GatewaySetting, number][]) {
    const fault = settingFault(name, value);
    if (fault !== null) faults.set(name, fault);
  }
  return faults;
}
