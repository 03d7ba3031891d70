import { useEffect, useRef } from 'react';
import { POPUP_OPEN_MS } from '@headrace/contract/limits';
import type { MapDevice } from './map-devices.ts';

/** Opens the popup of the sensor that the address asks for, about a second after it is known. Others: nothing. */
export function useAskedPopup(
  serial: string | undefined,
  devices: readonly MapDevice[],
  open: (id: string) => void,
): void {
  const id = devices.find((device) => device.kind === 'tank' && device.serialNumber === serial)?.id;
  const opener = useRef(open);
  useEffect(() => {
    opener.current = open;
  });
  useEffect(() => {
    if (serial === undefined || id === undefined) return undefined;
    const timer = setTimeout(() => opener.current(id), POPUP_OPEN_MS);
    return () => clearTimeout(timer);
  }, [serial, id]);
}
