import { useEffect, useState } from 'react';
import { ActionIcon } from '@mantine/core';
import { IconBarcode } from '@tabler/icons-react';
import { hasCamera } from './camera.ts';
import type { ScanDialogProps } from './scan-dialog.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const ScanDialog = lazyDialog<ScanDialogProps>(() => import('./scan-dialog.tsx').then((m) => m.ScanDialog));

/** Within a serial number's box: fills it from the label. Not there on devices without a camera. */
export function ScanButton({ onFound }: { onFound: (text: string) => void }) {
  const isThere = useHasCamera();
  const [isScanning, setIsScanning] = useState(false);
  const close = () => setIsScanning(false);
  if (!isThere) return null;
  return (
    <>
      <ActionIcon size={44} variant="subtle" aria-label="Scan the label" onClick={() => setIsScanning(true)}>
        <IconBarcode size={22} stroke={1.7} aria-hidden="true" />
      </ActionIcon>
      {isScanning && (
        <ScanDialog
          onFound={(text) => {
            close();
            onFound(text);
          }}
          onClose={close}
        />
      )}
    </>
  );
}

function useHasCamera(): boolean {
  const [isThere, setIsThere] = useState(false);
  useEffect(() => {
    let isOver = false;
    void hasCamera().then((has) => !isOver && setIsThere(has));
    return () => {
      isOver = true;
    };
  }, []);
  return isThere;
}
