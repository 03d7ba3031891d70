import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import type { Gateway } from '@headrace/contract/gateways';
import { call } from '../../api/client.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { type DeviceKey, gatewayConfiguration, gatewayExample } from './device-key.ts';
import { KeyDialog } from './key-dialog.tsx';

/** Gives a gateway a new key, after saying what that does. */
export function RotateKey({ gateway }: { gateway: Gateway }) {
  const [isAsking, setIsAsking] = useState(false);
  const [key, setKey] = useState<DeviceKey | null>(null);
  const { _id: deviceId, name, serialNumber, type } = gateway;
  return (
    <>
      <Button
        variant="default"
        mih={44}
        leftSection={<IconKey size={18} stroke={1.7} aria-hidden="true" />}
        onClick={() => setIsAsking(true)}
      >
        New device key
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={`New key for ${name}?`}
          confirm="Make a new key"
          doing="Making a key…"
          isFinal
          run={() => call('POST /gateway/rotate-key', { body: { deviceId } })}
          onDone={setKey}
          onClose={() => setIsAsking(false)}
        >
          The old key ends at once and the gateway is disconnected. Nothing is heard from its devices, and
          nothing can be sent to them, until the new key is entered at the gateway.
        </ConfirmDialog>
      )}
      {key && (
        <KeyDialog
          title={`New key of ${name}`}
          deviceKey={key}
          configuration={(broker) => gatewayConfiguration(key, broker)}
          example={(broker) => gatewayExample(key, broker, { serialNumber, type })}
          onClose={() => setKey(null)}
        />
      )}
    </>
  );
}
