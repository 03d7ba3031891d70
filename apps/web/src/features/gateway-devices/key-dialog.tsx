import { Button } from '@mantine/core';
import { IconCopy } from '@tabler/icons-react';
import { Dialog } from '../../forms/dialog.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { toast } from '../../ui/toasts.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import type { DeviceKey } from './device-key.ts';
import classes from '../devices/device-dialogs.module.css';

export interface KeyDialogProps {
  title: string;
  deviceKey: DeviceKey;
  configuration: string;
  example: string;
  onClose: () => void;
}

/** A key, the one time it can be read, with all that is to be entered at the other end. */
export function KeyDialog({ title, deviceKey, configuration, example, onClose }: KeyDialogProps) {
  const isMobile = useIsMobile();
  return (
    <Dialog onClose={onClose} title={title} size={720} isFullScreen={isMobile}>
      <p className={classes.text}>
        <strong>This key is shown once.</strong> Copy it now: later only a new one can be made.
      </p>
      <Copied title="Key" text={deviceKey.password} />
      <Copied title="Broker configuration" text={configuration} />
      <Copied title="Try it" text={example} />
      <p className={classes.text}>
        Port 1883 is the built-in broker's. Ask the operator when this server uses another port, TLS or a
        broker of its own.
      </p>
      <div className={classes.ways}>
        <Button onClick={onClose}>I have copied it</Button>
      </div>
    </Dialog>
  );
}

function Copied({ title, text }: { title: string; text: string }) {
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
      <pre className={classes.code}>{text}</pre>
    </>
  );
}
