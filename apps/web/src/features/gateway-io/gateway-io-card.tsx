import { useState } from 'react';
import { Button, NativeSelect } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { commandNeeds } from '@headrace/contract/command-types';
import type { GatewayMonitor } from '@headrace/contract/gateway-io';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import { GATEWAY_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { needs } from '@headrace/contract/permissions';
import { ioPorts } from '@headrace/contract/rules/io-settings';
import { Age } from '../../ui/age.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { useCan } from '../../access/permissions.ts';
import { CardFrame, type CardProps } from '../../ui/card-frame.tsx';
import { gatewaysQuery } from '../../device-records/choices.queries.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { useLiveCommands } from '../commands/commands.queries.ts';
import { openGateway } from '../gateways/gateway-search.ts';
import { gatewayMonitorQuery } from './gateway-io.queries.ts';
import { RelayRow } from './relay-row.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './gateway-io.module.css';
import type { IoSettingsDialogProps } from './io-settings-dialog.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const IoSettingsDialog = lazyDialog<IoSettingsDialogProps>(() =>
  import('./io-settings-dialog.tsx').then((m) => m.default),
);
const NEVER_TEXT = 'The gateway has not been contacted yet. Please check the connection and try again.';
const OFFLINE_ID = 'io-offline';

/** What of the card stands in the dashboard's address: the MAC of the gateway it shows. */
export interface GatewayIoSearch {
  io?: string | undefined;
}

/** Six inputs and six relays of a gateway, as it last said them. */
export function GatewayIoCard({ farm: { _id: farmUID } }: CardProps) {
  const { io: mac }: GatewayIoSearch = useSearch({ strict: false });
  const query = useQuery(gatewayMonitorQuery(farmUID, mac));
  const [isEditing, setIsEditing] = useState(false);
  const canSend = useCan(commandNeeds.ToggleIO, farmUID);
  const monitor = query.data;
  return (
    <CardFrame
      type="IO"
      title="Gateway I/O"
      actions={
        <>
          <GatewayChooser farmUID={farmUID} mac={monitor?.mac} />
          {canSend && monitor && (
            <Button
              variant="default"
              size="sm"
              className={classes.edit}
              leftSection={<IconPencil size={17} stroke={1.7} aria-hidden="true" />}
              onClick={() => setIsEditing(true)}
            >
              Edit labels
            </Button>
          )}
        </>
      }
    >
      <StateView
        query={query}
        failed="The inputs and relays couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={264} className={classes.columns} />}
      >
        {(data) =>
          data === null ? (
            <p>No items to display.</p>
          ) : (
            <Ports key={data._id} monitor={data} farmUID={farmUID} canSend={canSend} />
          )
        }
      </StateView>
      {isEditing && monitor && (
        <IoSettingsDialog
          key={monitor._id}
          monitor={monitor}
          farmUID={farmUID}
          onClose={() => setIsEditing(false)}
        />
      )}
    </CardFrame>
  );
}

/** Which of several gateways. Who may not read gateways sees the first. */
function GatewayChooser({ farmUID, mac }: { farmUID: string; mac: string | undefined }) {
  const canRead = useCan(needs.readGateways, farmUID);
  const { data = [] } = useQuery({ ...gatewaysQuery(farmUID), enabled: canRead });
  const patch = useSearchPatch<GatewayIoSearch>();
  const gateways = data.filter(({ type }) => type === gatewayTypes.INC);
  if (gateways.length < 2 || mac === undefined) return null;
  return (
    <NativeSelect
      aria-label="Gateway"
      size="sm"
      className={classes.chooser ?? ''}
      value={mac}
      data={gateways.map(({ macAddress, name }) => ({ value: macAddress, label: name }))}
      onChange={(event) => patch({ io: event.currentTarget.value }, { replace: true })}
    />
  );
}

function Ports(props: { monitor: GatewayMonitor; farmUID: string; canSend: boolean }) {
  const { monitor, farmUID, canSend } = props;
  const { state, ioSettings, connected, settingsTaken } = monitor;
  const zone = useFarmZone(farmUID);
  useLiveCommands(farmUID);
  return (
    <>
      <p className={classes.gateway}>
        <ConditionDot condition={connected ? 'ok' : 'inhibited'} label={null} size={14} />
        <GatewayState monitor={monitor} farmUID={farmUID} />
        {state && (
          <Age at={monitor.statusTime} zone={zone} staleAfter={GATEWAY_OUT_OF_CONTACT_MS}>
            Last state
          </Age>
        )}
      </p>
      {!settingsTaken && (
        <p className={classes.note}>
          <ConditionDot condition="caution" label={null} size={14} /> The gateway has not taken the newest
          settings yet.
        </p>
      )}
      {state ? (
        <div className={classes.columns}>
          <section aria-labelledby="io-inputs">
            <h3 id="io-inputs" className={classes.heading}>
              Inputs
            </h3>
            <ul className={classes.ports}>
              {ioPorts.map((port) => (
                <li key={port} className={classes.input}>
                  <span className={classes.name}>{ioSettings[`input${port}`].title}</span>
                  <OnOff isOn={state[`input${port}`]} />
                </li>
              ))}
            </ul>
          </section>
          <section aria-labelledby="io-relays">
            <h3 id="io-relays" className={classes.heading}>
              Relays
            </h3>
            <ul className={classes.ports}>
              {ioPorts.map((port) => (
                <RelayRow
                  key={port}
                  port={port}
                  monitor={monitor}
                  farmUID={farmUID}
                  canSend={canSend}
                  why={connected ? undefined : OFFLINE_ID}
                />
              ))}
            </ul>
          </section>
        </div>
      ) : (
        <p className={classes.never}>{NEVER_TEXT}</p>
      )}
      {state && canSend && !connected && (
        <p id={OFFLINE_ID} className={classes.dim}>
          Nothing can be switched while this gateway isn't connected to the server.
        </p>
      )}
    </>
  );
}

/** Leads to how the gateway is and what can be done with it: it opens over the dashboard. */
function GatewayState({ monitor, farmUID }: { monitor: GatewayMonitor; farmUID: string }) {
  const canRead = useCan(needs.readGateways, farmUID);
  const { _id, name, connected } = monitor;
  const text = `${name}: ${connected ? 'connected' : 'not connected'}`;
  if (!canRead) return <span className={classes.gatewayState}>{text}</span>;
  return (
    <Link {...openGateway(_id)} className={classes.gatewayState}>
      {text}
    </Link>
  );
}

function OnOff({ isOn }: { isOn: boolean }) {
  return (
    <span className={classes.state} data-on={isOn || undefined}>
      <i aria-hidden="true" />
      {isOn ? 'On' : 'Off'}
    </span>
  );
}
