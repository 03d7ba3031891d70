import type { ReactNode } from 'react';
import { useLocation, useParams } from '@tanstack/react-router';
import { GatewayList } from '../features/gateway-devices/gateway-list.tsx';
import { SprinklerList } from '../features/irrigation-devices/sprinkler-list.tsx';
import { PoiList } from '../features/pois/poi-list.tsx';
import { RepeaterList } from '../features/repeaters/repeater-list.tsx';
import { SensorList } from '../features/sensors/sensor-list.tsx';

type List = (props: { farmUID: string }) => ReactNode;

const lists: Readonly<Record<string, List>> = {
  'irrigation-devices': SprinklerList,
  'gateway-devices': GatewayList,
  'repeater-devices': RepeaterList,
  'sensor-devices': SensorList,
  pois: PoiList,
};

/** The lists of all kinds of devices: one piece of code, since who opens one opens others. */
export function DeviceListPage() {
  const { id = '' } = useParams({ strict: false });
  const kind = useLocation({ select: ({ pathname }) => pathname.split('/')[1] ?? '' });
  const List = lists[kind];
  return List ? <List key={id} farmUID={id} /> : null;
}
