import { useState } from 'react';
import { Button, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Command } from '@headrace/contract/commands';
import type { GatewayMonitor } from '@headrace/contract/gateway-io';
import { type IoPort, overrideSince } from '@headrace/contract/rules/io-settings';
import { isUnderWay } from '@headrace/contract/rules/under-way';
import { serverNow } from '../../api/server-time.ts';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { numberText } from '../../ui/format.ts';
import { toast } from '../../ui/toasts.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { commandQuery, useSendCommand } from '../commands/commands.queries.ts';
import { useEndOverride } from './gateway-io.queries.ts';
import type { RelayName } from './with-relay.ts';
import classes from './gateway-io.module.css';
import type { BoundDialogProps } from './bound-dialog.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const BoundDialog = lazyDialog<BoundDialogProps>(() =>
  import('./bound-dialog.tsx').then((m) => m.BoundDialog),
);

export interface RelayRowProps {
  port: IoPort;
  monitor: GatewayMonitor;
  farmUID: string;
  canSend: boolean;
  /** Id of the text that says why nothing can be sent; undefined: it can. */
  why: string | undefined;
}

/** What was asked of the relay: it stays so until the gateway says its state, or that it couldn't. */
interface Asked {
  commandId: string;
  set: boolean;
  /** Of when the state was that was shown then, by the gateway's clock, which may be wrong. */
  heardAt: string | null;
}

/** After a command is done its state is waited for this long, ms: a gateway whose clock was set back says nothing newer. */
const SETTLE_MS = 30_000;

/** One relay: as the gateway last said, never as it was asked to be. */
export function RelayRow({ port, monitor, farmUID, canSend, why }: RelayRowProps) {
  const name: RelayName = `relay${port}`;
  const relay = monitor.ioSettings[name];
  const isOn = monitor.state?.[name] ?? false;
  const [question, setQuestion] = useState<boolean | null>(null);
  const send = useSendCommand();
  const { asked, ask } = useAsked(farmUID, isOn, monitor.statusTime);
  const tank = monitor.tanks.find(({ _id }) => _id === relay.binding);

  const toggle = async (set: boolean) => {
    const { sent } = await send
      .mutateAsync({
        command: 'ToggleIO',
        farmUID,
        target: { name: monitor.name, mac: monitor.mac, serialNumber: monitor.serialNumber },
        payload: {
          relay: port,
          set,
          ...(relay.binding && { overriddenAt: new Date(serverNow()).toISOString() }),
        },
      })
      .then(
        (reply) => ({ sent: reply }),
        () => ({ sent: null }),
      );
    if (sent) ask({ commandId: sent.commandId, set, heardAt: monitor.statusTime });
  };
  const change = (set: boolean) => {
    if (send.isPending || asked) return;
    if (relay.binding) setQuestion(set);
    else void toggle(set);
  };
  const status = send.isPending ? 'Sending…' : asked ? `Asked to turn ${asked.set ? 'on' : 'off'}` : null;
  return (
    <li className={classes.relay}>
      <div className={classes.relayLine}>
        <span className={classes.name} id={`io-${name}`}>
          {relay.title}
        </span>
        <span className={classes.state} data-on={isOn || undefined} role="status">
          {status ? <em>{status}</em> : isOn ? 'On' : 'Off'}
        </span>
        {canSend && (
          <Switch
            size="md"
            checked={isOn}
            aria-labelledby={`io-${name}`}
            aria-busy={status !== null}
            aria-describedby={why}
            disabled={why !== undefined}
            data-asked={status !== null || undefined}
            classNames={{ body: classes.switch ?? '' }}
            onChange={(event) => change(event.currentTarget.checked)}
          />
        )}
      </div>
      {relay.binding && (
        <p className={classes.bound}>
          Fills {tank?.name ?? 'a tank that is gone'}
          {tank && (tank.level === null ? ', level not known' : `, ${numberText(tank.level)} % full`)}
        </p>
      )}
      <Override monitor={monitor} name={name} farmUID={farmUID} canSend={canSend} />
      {question !== null && relay.binding && (
        <BoundDialog
          title={relay.title}
          set={question}
          tank={tank}
          maxOnTime={relay.maxOnTime}
          onConfirm={() => {
            setQuestion(null);
            void toggle(question);
          }}
          onClose={() => setQuestion(null)}
        />
      )}
    </li>
  );
}

/**
 * What was asked, until the gateway's own word of the relay is that, or the command has ended in another way. A done one
 * has ended once another state is shown (of `statusTime`) than when it was asked: the news of both come one after the other.
 */
function useAsked(farmUID: string, isOn: boolean, statusTime: string | null) {
  const [last, setLast] = useState<Asked | null>(null);
  const { data } = useQuery({
    ...commandQuery(farmUID, last?.commandId ?? ''),
    enabled: last !== null,
  });
  const now = useNow();
  const isOver =
    last !== null &&
    (last.set === isOn || (data ? hasEnded(data.command, statusTime !== last.heardAt, now) : false));
  if (isOver) setLast(null);
  return { asked: isOver ? null : last, ask: setLast };
}

function hasEnded(command: Command, isHeardSince: boolean, now: number): boolean {
  if (command.state !== 'done') return !isUnderWay(command);
  return isHeardSince || now - Date.parse(command.stateAt) >= SETTLE_MS;
}

/** A hand decides, not the tank: since when, and the way back. */
function Override(props: { monitor: GatewayMonitor; name: RelayName; farmUID: string; canSend: boolean }) {
  const { monitor, name, farmUID, canSend } = props;
  const now = useNow();
  const zone = useFarmZone(farmUID);
  const end = useEndOverride(farmUID, monitor);
  const relay = monitor.ioSettings[name];
  const since = overrideSince(relay, now);
  if (since === null) return null;
  const cancel = () =>
    end.mutate(name, {
      onSuccess: () => toast.success('Override cancelled!'),
      onError: () => toast.error('Failed to cancel the override, please try again later.'),
    });
  return (
    <div className={classes.override}>
      <span>
        <Age at={since} zone={zone}>
          Switched by hand
        </Age>
        : the tank's level doesn't switch it.
      </span>
      {canSend && (
        <Button
          variant="default"
          size="compact-md"
          aria-label={`Cancel override of ${relay.title}`}
          aria-disabled={end.isPending}
          onClick={() => !end.isPending && cancel()}
        >
          Cancel override
        </Button>
      )}
    </div>
  );
}
