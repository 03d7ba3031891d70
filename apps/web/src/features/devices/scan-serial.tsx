import { useEffect, useRef, useState } from 'react';
import { Button } from '@mantine/core';
import { Dialog } from '../../forms/dialog.tsx';
import { type BarcodeReader, newReader } from './can-scan.ts';
import classes from './device-dialogs.module.css';

/** Between two looks at the camera's picture, ms. */
const LOOK_MS = 200;

/** Reads a serial number from a label with the camera. */
export function ScanSerial({ onFound, onClose }: { onFound: (text: string) => void; onClose: () => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [fault, setFault] = useState(false);
  const found = useRef(onFound);
  useEffect(() => {
    found.current = onFound;
  });
  useEffect(() => {
    let isOver = false;
    let stream: MediaStream | undefined;
    const look = async () => {
      const reader = newReader();
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      const picture = video.current;
      if (!reader || !picture || isOver) return stop();
      picture.srcObject = stream;
      await picture.play();
      await read(reader, picture);
    };
    const read = async (reader: BarcodeReader, picture: HTMLVideoElement): Promise<void> => {
      const [code] = await reader.detect(picture);
      if (isOver) return;
      if (code?.rawValue.trim()) return found.current(code.rawValue.trim());
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      if (!isOver) await read(reader, picture);
    };
    const stop = () => {
      for (const track of stream?.getTracks() ?? []) track.stop();
    };
    look().catch(() => !isOver && setFault(true));
    return () => {
      isOver = true;
      stop();
    };
  }, []);
  return (
    <Dialog onClose={onClose} title="Scan the label">
      {fault ? (
        <p role="alert">The camera couldn't be used. Allow it for this page, or type the serial number.</p>
      ) : (
        <>
          <p className={classes.text}>Hold the bar code in the picture.</p>
          <video ref={video} className={classes.video} muted playsInline />
        </>
      )}
      <div className={classes.ways}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Dialog>
  );
}
