import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { copyText } from '../../ui/copy-text.ts';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { type Registered, registeredQuery } from './registry.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './registry.module.css';

const kindLabels: Readonly<Record<string, string>> = {
  ipc: 'Sprinkler',
  repeater: 'Repeater',
  gateway: 'Gateway',
  sensor: 'Sensor',
};

export interface RegisteredDeviceProps {
  serialNumber: string;
  /** What can be done when nothing is registered under it. */
  otherwise?: ReactNode;
  /** Below what is registered. */
  children?: (found: Registered) => ReactNode;
}

/** What is registered under a serial number. */
export function RegisteredDevice({ serialNumber, otherwise, children }: RegisteredDeviceProps) {
  const query = useQuery(registeredQuery(serialNumber));
  return (
    <section aria-live="polite" className={classes.result}>
      <StateView
        query={query}
        failed="The serial number couldn't be looked up"
        skeleton={<Skeleton blockPx={168} />}
        isEmpty={({ found }) => !found}
        empty={
          <Empty title={`No device has the serial number ${serialNumber}.`} action={otherwise}>
            Compare it with the label: the whole number is needed, letters included.
          </Empty>
        }
      >
        {(found) => (
          <>
            <Facts found={found} />
            {children?.(found)}
          </>
        )}
      </StateView>
    </section>
  );
}

function Facts({ found: { serialNumber, mac, kind } }: { found: Registered }) {
  const copy = async () => {
    if (await copyText(mac)) toast.success('MAC address copied.');
    else toast.error(`The browser doesn't let us copy. The MAC address is ${mac}.`);
  };
  return (
    <dl className={classes.facts}>
      <div>
        <dt>MAC address</dt>
        <dd>
          <span className={classes.mac}>{mac}</span>
          <Button
            variant="default"
            mih={44}
            leftSection={<IconCopy size={18} stroke={1.7} aria-hidden="true" />}
            onClick={() => void copy()}
          >
            Copy
          </Button>
        </dd>
      </div>
      <div>
        <dt>Device</dt>
        <dd>{kindLabels[kind] ?? kind}</dd>
      </div>
      <div>
        <dt>Serial number</dt>
        <dd>{serialNumber}</dd>
      </div>
    </dl>
  );
}
