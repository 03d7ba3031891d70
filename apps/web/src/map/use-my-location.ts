import { useEffect, useState } from 'react';
import type { LatLng } from '@headrace/contract/schemas';
import { isInside } from './geometry.ts';

export type MyLocation =
  | { state: 'off' | 'asking' | 'outside' | 'refused' | 'unavailable'; at?: undefined }
  | { state: 'inside'; at: LatLng; accuracyM: number };

export const myLocationTexts: Record<MyLocation['state'], string | null> = {
  off: null,
  inside: null,
  asking: 'Looking for your location…',
  outside: "You are outside the farm's boundary, so you aren't shown on the map.",
  refused: 'Your location is blocked: allow it for this site in the browser, then try again.',
  unavailable: "Your location couldn't be found. Try again in the open.",
};

/** Follows the person's place while `isOn`; known only inside the farm's boundary. */
export function useMyLocation(isOn: boolean, boundary: readonly LatLng[]): MyLocation {
  const [found, setFound] = useState<MyLocation | null>(null);
  const canAsk = 'geolocation' in navigator;
  useEffect(() => {
    if (!isOn || !canAsk) return undefined;
    const watch = navigator.geolocation.watchPosition(
      ({ coords }) => {
        const at = { lat: coords.latitude, lng: coords.longitude };
        const inside = { state: 'inside', at, accuracyM: coords.accuracy } as const;
        setFound(isInside(boundary, at) ? inside : { state: 'outside' });
      },
      ({ code, PERMISSION_DENIED }) =>
        setFound({ state: code === PERMISSION_DENIED ? 'refused' : 'unavailable' }),
      { enableHighAccuracy: true, maximumAge: 10_000, timeout: 20_000 },
    );
    return () => {
      navigator.geolocation.clearWatch(watch);
      setFound(null);
    };
  }, [isOn, canAsk, boundary]);
  if (!isOn) return { state: 'off' };
  return found ?? { state: canAsk ? 'asking' : 'unavailable' };
}
