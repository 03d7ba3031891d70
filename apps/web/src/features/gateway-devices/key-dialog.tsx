import type { CSSProperties } from 'react';
import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { BrokerAddress } from '@headrace/contract/settings';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { toast } from '../../ui/toasts.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { globalSettingsQuery } from '../../preferences/settings.queries.ts';
import classes from '../../forms/dialog-content.module.css';
import type { DeviceKey } from './device-key.ts';

export interface KeyDialogProps {
  title: string;
  deviceKey: DeviceKey;
  /** Texts to copy; `broker`: where it is, null as long as nobody said. */
  configuration: (broker: BrokerAddress | null) => string;
  example: (broker: BrokerAddress | null) => string;
  onClose: () => void;
}

/** A key, the one time it can be read, with all that is to be entered at the other end. */
export function KeyDialog({ title, deviceKey, configuration, example, onClose }: KeyDialogProps) {
  const isMobile = useIsMobile();
  const broker = useQuery(globalSettingsQuery).data?.broker ?? null;
  return (
    <Dialog onClose={onClose} title={title} size={720} isFullScreen={isMobile}>
      <p className={classes.text}>
        <strong>This key is shown once.</strong> Copy it now: later only a new one can be made.
      </p>
      <Copied title="Key" text={deviceKey.password} hang={0} />
      <Copied title="Broker configuration" text={configuration(broker)} hang={10} />
      <Copied title="Try it" text={example(broker)} hang={4} />
      {!broker && (
        <p className={classes.text}>
          This server hasn't said where its broker is: ask its operator for host, port and TLS.
        </p>
      )}
      <Ways>
        <Button onClick={onClose}>I have copied it</Button>
      </Ways>
    </Dialog>
  );
}

/** `hang`: by how many characters the rest of a line that doesn't fit is indented. */
function Copied({ title, text, hang }: { title: string; text: string; hang: number }) {
  const copy = async () => {
    if (await copyText(text)) toast.success(`${title} copied.`);
    else toast.error('This browser lets no page copy here: mark the text and copy it by hand.');
  };
  return (
    <>
      <div className={classes.copied}>
        <h3>{title}</h3>
        <Button
          variant="default"
          mih={44}
          leftSection={<IconCopy size={18} stroke={1.7} aria-hidden="true" />}
          aria-label={`Copy ${title.toLowerCase()}`}
          onClick={() => void copy()}
        >
          Copy
        </Button>
      </div>
      <pre className={classes.code} style={{ '--hang': `${hang}ch` } as CSSProperties}>
        {text.split('\n').map((line) => (
          <span key={line}>{line}</span>
        ))}
      </pre>
    </>
  );
}
