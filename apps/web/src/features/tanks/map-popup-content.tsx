import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconTrendingDown, IconTrendingUp } from '@tabler/icons-react';
import { TANK_OUT_OF_CONTACT_MS, GATEWAY_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { needs } from '@headrace/contract/permissions';
import { contactOf, contactLabels } from '@headrace/contract/rules/place-condition';
import { gatewayCondition } from '@headrace/contract/rules/contact';
import { PopupBox } from '../../map/popup-box.tsx';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { Quantity } from '../../ui/quantity.tsx';
import { useCan } from '../../access/permissions.ts';
import { deviceKinds } from '../../device-records/device-kinds.ts';
import { poiText, radioLook } from '../../device-records/marker-look.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { gatewayColour, gatewayLabels } from '../../device-records/gateway-view-model.ts';
import { DeviceAlerts } from '../../device-records/lazy-device-alerts.tsx';
import { DeviceWay } from '../devices/device-way.tsx';
import { openGateway } from '../gateways/gateway-search.ts';
import type { MapDevice } from './map-devices.ts';
import { conditionOf, stateLabel, trendLabel } from './tank-view-model.ts';
import { openTank } from './tank-search.ts';
import classes from './tank-map.module.css';

export interface MapPopupContentProps {
  device: MapDevice;
  farmUID: string;
  onClose: () => void;
}

/** What a marker's popup says, and the way to all the rest. */
export function MapPopupContent({ device, farmUID, onClose }: MapPopupContentProps) {
  const now = useNow();
  switch (device.kind) {
    case 'tank':
      return <TankPopup device={device} farmUID={farmUID} onClose={onClose} />;
    case 'gateway':
      return <GatewayPopup device={device} farmUID={farmUID} now={now} onClose={onClose} />;
    case 'repeater':
    case 'poi':
      return <PlacePopup device={device} farmUID={farmUID} onClose={onClose} />;
    default:
      return device satisfies never;
  }
}

type Of<K extends MapDevice['kind']> = {
  device: Extract<MapDevice, { kind: K }>;
  farmUID: string;
  onClose: () => void;
};

function TankPopup({ device, farmUID, onClose }: Of<'tank'>) {
  const { tank, state } = device;
  const zone = useFarmZone(farmUID);
  const canOpen = useCan(needs.readSensors, farmUID);
  const trend = state.out ? null : trendLabel(tank.trending);
  return (
    <PopupBox
      name={tank.name}
      kind="Tank"
      under={`Tank · ${stateLabel(state).join(', ') || 'OK'}`}
      condition={conditionOf(state)}
      onClose={onClose}
      actions={
        <>
          {canOpen && (
            <Button renderRoot={(props) => <Link {...props} {...openTank(tank._id)} />} mih={44}>
              Open tank
            </Button>
          )}
          <DeviceWay kind={deviceKinds.sensor} farmUID={farmUID} id={tank._id} name={tank.name} />
        </>
      }
    >
      {/* Without a level the heading says so. */}
      {tank.level.invalid || tank.level.value === null ? null : (
        <p className={classes.popupLevel} data-stale={state.out || undefined}>
          <b>
            <Quantity value={tank.level.value} unit="%" />
          </b>
          <Quantity value={tank.level.valueInLitres} unit="L" />
          {trend && trend !== 'steady' && (
            <span className={classes.popupTrend}>
              {trend === 'rising' ? (
                <IconTrendingUp size={17} aria-hidden="true" />
              ) : (
                <IconTrendingDown size={17} aria-hidden="true" />
              )}
              {trend}
            </span>
          )}
        </p>
      )}
      <DeviceAlerts farmUID={farmUID} uid={tank._id} behind={state.out ? tank.gatewayUID : null} />
      <p className={classes.popupAge}>
        <Age at={tank.statusTime} zone={zone} staleAfter={TANK_OUT_OF_CONTACT_MS} never="No data" />
      </p>
    </PopupBox>
  );
}

function GatewayPopup({ device, farmUID, now, onClose }: Of<'gateway'> & { now: number }) {
  const { gateway } = device;
  const zone = useFarmZone(farmUID);
  const canOpen = useCan(needs.readGateways, farmUID);
  const condition = gatewayCondition(device.statusTime, now);
  return (
    <PopupBox
      name={gateway.name}
      kind="Gateway"
      under={`Gateway · ${gatewayLabels[condition]}`}
      condition={gatewayColour[condition]}
      onClose={onClose}
      actions={
        <>
          {canOpen && (
            <Button renderRoot={(props) => <Link {...props} {...openGateway(gateway._id)} />} mih={44}>
              Open gateway
            </Button>
          )}
          <DeviceWay kind={deviceKinds.gateway} farmUID={farmUID} id={gateway._id} name={gateway.name} />
        </>
      }
    >
      <DeviceAlerts farmUID={farmUID} uid={gateway._id} />
      <p className={classes.popupAge}>
        {gateway.connected ? 'Connected now, last contact ' : 'Not connected, last contact '}
        <Age at={gateway.statusTime} zone={zone} staleAfter={GATEWAY_OUT_OF_CONTACT_MS} />
      </p>
    </PopupBox>
  );
}

function PlacePopup({ device, farmUID, onClose }: Of<'repeater' | 'poi'>) {
  const { place, kind } = device;
  const zone = useFarmZone(farmUID);
  const now = useNow();
  const isPoi = kind === 'poi';
  const state = contactOf('repeater', device.statusTime, now);
  const look = isPoi ? { condition: 'poi' as const } : radioLook('repeater', '', device.statusTime, now);
  const what = isPoi ? poiText(place.icon) : 'Repeater';
  const contact = isPoi || state === 'ok' ? null : contactLabels[state];
  return (
    <PopupBox
      name={place.name}
      kind={what}
      under={contact === null ? what : `${what} · ${contact}`}
      condition={look.condition}
      onClose={onClose}
      actions={<DeviceWay kind={deviceKinds[kind]} farmUID={farmUID} id={place._id} name={place.name} />}
    >
      {place.description && <p className={classes.popupText}>{place.description}</p>}
      {!isPoi && (
        <p className={classes.popupAge}>
          <Age at={place.statusTime} zone={zone}>
            Last contact
          </Age>
        </p>
      )}
    </PopupBox>
  );
}
