import type { ReactNode } from 'react';
import { useLocation, useParams } from '@tanstack/react-router';
import { GatewayPage, NewGatewayPage } from '../features/gateway-devices/gateway-page.tsx';
import { NewSprinklerPage, SprinklerPage } from '../features/irrigation-devices/sprinkler-page.tsx';
import { NewPoiPage, PoiPage } from '../features/pois/poi-page.tsx';
import { NewRepeaterPage, RepeaterPage } from '../features/repeaters/repeater-page.tsx';
import { NewSensorPage, SensorPage } from '../features/sensors/sensor-page.tsx';

interface Pages {
  New: (props: { farmUID: string }) => ReactNode;
  Edit: (props: { farmUID: string; id: string }) => ReactNode;
}

const pages: Readonly<Record<string, Pages>> = {
  'irrigation-device': { New: NewSprinklerPage, Edit: SprinklerPage },
  'gateway-device': { New: NewGatewayPage, Edit: GatewayPage },
  'repeater-device': { New: NewRepeaterPage, Edit: RepeaterPage },
  'sensor-device': { New: NewSensorPage, Edit: SensorPage },
  pois: { New: NewPoiPage, Edit: PoiPage },
};

/** The forms of all kinds of devices. */
export function DeviceFormPage() {
  const { farmUID = '', id } = useParams({ strict: false });
  const kind = useLocation({ select: ({ pathname }) => pathname.split('/')[1] ?? '' });
  const found = pages[kind];
  if (!found) return null;
  const { New, Edit } = found;
  return id === undefined ? (
    <New key={farmUID} farmUID={farmUID} />
  ) : (
    <Edit key={id} farmUID={farmUID} id={id} />
  );
}
