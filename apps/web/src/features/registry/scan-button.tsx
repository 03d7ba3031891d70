import { lazy, Suspense, useEffect, useState } from 'react';
import { ActionIcon } from '@mantine/core';
import { IconBarcode } from '@tabler/icons-react';
import { hasCamera } from './camera.ts';

const ScanDialog = lazy(() => import('./scan-dialog.tsx').then((m) => ({ default: m.ScanDialog })));

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
      <Suspense>
        {isScanning && (
          <ScanDialog
            onFound={(text) => {
              close();
              onFound(text);
            }}
            onClose={close}
          />
        )}
      </Suspense>
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
