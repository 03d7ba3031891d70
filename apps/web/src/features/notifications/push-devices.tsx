import { Button } from '@mantine/core';
import { IconDeviceMobileMessage } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { PushDevice } from '@headrace/contract/notifications';
import { Age } from '../../ui/age.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { globalSettingsQuery } from '../../preferences/settings.queries.ts';
import { pushDevicesQuery } from './notifications.queries.ts';
import { isAppleDevice } from './push.ts';
import {
  hasSubscriptionQuery,
  useRemoveDevice,
  useSubscribe,
  whyNotSubscribed,
} from './push-devices.queries.ts';
import classes from './notifications.module.css';

/** The browsers that take instant messages, and the way for this one to be among them. */
export function PushDevices({ wanted, onSubscribed }: { wanted: boolean; onSubscribed: () => void }) {
  const query = useQuery(pushDevicesQuery);
  return (
    <section className={classes.section} aria-labelledby="push-devices">
      <h3 id="push-devices" className={classes.sectionTitle}>
        Connected devices
      </h3>
      <StateView
        query={query}
        skeleton={<div className={classes.waiting} />}
        failed="Your connected devices couldn't be loaded"
      >
        {(devices) => (
          <>
            <p className={classes.hint}>{hintOf(devices, wanted)}</p>
            {!isAppleDevice() && (
              <Subscribe isListed={devices.some(({ isThis }) => isThis)} onSubscribed={onSubscribed} />
            )}
            <ul className={classes.devices}>
              {devices.map((device) => (
                <Device key={device.id} device={device} />
              ))}
            </ul>
          </>
        )}
      </StateView>
    </section>
  );
}

function hintOf(devices: readonly PushDevice[], wanted: boolean): string {
  if (devices.length === 0) return 'No browser takes instant messages for your account yet.';
  return wanted
    ? 'Instant messages go to these browsers.'
    : 'Instant Messages is switched off: nothing is sent to these browsers.';
}

function Subscribe({ isListed, onSubscribed }: { isListed: boolean; onSubscribed: () => void }) {
  const { data: hasOne, isPending } = useQuery(hasSubscriptionQuery);
  const { data: settings, isPending: isAsking } = useQuery(globalSettingsQuery);
  const { mutate, error, isPending: isBusy } = useSubscribe(settings?.vapidPublicKey, onSubscribed);
  const why = whyNotSubscribed(error);
  if (isListed && hasOne) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDeviceMobileMessage size={18} stroke={1.7} aria-hidden="true" />}
        loading={isBusy || isPending || isAsking}
        onClick={() => mutate()}
      >
        Subscribe to Instant Messages
      </Button>
      {why !== null && (
        <p className={classes.problem} role="alert">
          {why}
        </p>
      )}
    </>
  );
}

function Device({ device }: { device: PushDevice }) {
  const { mutate, isPending } = useRemoveDevice();
  const { browser, ip, isThis, createdAt } = device;
  return (
    <li className={classes.device}>
      <div className={classes.text}>
        <div className={classes.deviceName}>{isThis ? `${browser} (this browser)` : browser}</div>
        <div className={classes.deviceFacts}>
          {ip} · <Age at={createdAt}>subscribed</Age>
        </div>
      </div>
      <Button
        variant="default"
        size="sm"
        mih={44}
        loading={isPending}
        aria-label={`Remove ${browser}, ${ip}`}
        onClick={() => mutate(device)}
      >
        Remove
      </Button>
    </li>
  );
}
