import { useState } from 'react';
import { Button } from '@mantine/core';
import { IconCurrentLocation } from '@tabler/icons-react';
import type { LatLng } from '@headrace/contract/schemas';
import { numberText } from '../ui/format.ts';
import { roundPlace } from './draft.ts';
import { myLocationTexts } from './use-my-location.ts';
import classes from './drawing.module.css';

/** This phone's position, once. The accuracy is said: under trees it is tens of metres. */
export function HereButton({
  onFound,
  disabled = false,
}: {
  onFound: (at: LatLng) => void;
  disabled?: boolean;
}) {
  const [said, setSaid] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const found = ({ coords }: GeolocationPosition) => {
    setIsAsking(false);
    setSaid(`Your position, right to about ${numberText(Math.ceil(coords.accuracy))} m.`);
    onFound(roundPlace({ lat: coords.latitude, lng: coords.longitude }));
  };
  const failed = ({ code, PERMISSION_DENIED }: GeolocationPositionError) => {
    setIsAsking(false);
    setSaid(myLocationTexts[code === PERMISSION_DENIED ? 'refused' : 'unavailable'] ?? '');
  };
  const ask = () => {
    if (!('geolocation' in navigator)) return setSaid(myLocationTexts.unavailable ?? '');
    setIsAsking(true);
    setSaid(myLocationTexts.asking ?? '');
    navigator.geolocation.getCurrentPosition(found, failed, {
      enableHighAccuracy: true,
      maximumAge: 0,
      timeout: 20_000,
    });
  };
  return (
    <>
      <Button
        variant="default"
        className={classes.action ?? ''}
        leftSection={<IconCurrentLocation size={18} aria-hidden="true" />}
        onClick={ask}
        disabled={disabled || isAsking}
      >
        My position
      </Button>
      <output className={classes.said}>{said}</output>
    </>
  );
}
