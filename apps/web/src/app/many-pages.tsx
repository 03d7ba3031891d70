import { useParams } from '@tanstack/react-router';
import { PastePage as Paste } from '../features/irrigation-devices/many/paste-page.tsx';
import { PlacePage as Place } from '../features/irrigation-devices/many/place-page.tsx';

const useFarmUID = () => useParams({ strict: false }).farmUID ?? '';

/** Another farm in the address is another page: nothing of one is added to the other. */
export function PastePage() {
  const farmUID = useFarmUID();
  return <Paste key={farmUID} farmUID={farmUID} />;
}

export function PlacePage() {
  const farmUID = useFarmUID();
  return <Place key={farmUID} farmUID={farmUID} />;
}
