import { useEffect, useState } from 'react';
import type { Timezone } from '@headrace/contract/farms';
import { farmOffsetSeconds } from '@headrace/contract/rules/farm-time';
import { serverNow } from '../../api/server-time.ts';
import { dayText } from '../../ui/format.ts';
import { Tile } from './headline-tile.tsx';

const SECOND = 1000;
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;

/** The time, renewed as each second begins. */
function useSeconds(): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = () => {
      const at = serverNow();
      setNow(at);
      timer = setTimeout(tick, SECOND - (at % SECOND));
    };
    tick();
    return () => clearTimeout(timer);
  }, []);
  return now;
}

/** The clock on the farm's wall. Nothing but this tile is drawn anew each second. */
export function LocalTime({ zone }: { zone: Timezone | null }) {
  const now = useSeconds();
  if (!zone) {
    return <Tile name="Local time" detail="On the farm" value="–" foot="The farm's time zone isn't known." />;
  }
  const local = new Date(now + farmOffsetSeconds(zone, now) * SECOND);
  const iso = local.toISOString();
  return (
    <Tile
      name="Local time"
      detail="On the farm"
      value={
        <time className="num" dateTime={new Date(now).toISOString()}>
          {iso.slice(11, 19)}
        </time>
      }
      foot={`${weekdays[local.getUTCDay()]}, ${dayText(iso.slice(0, 10))}`}
    />
  );
}
