import type { ReactNode } from 'react';
import { Button, CloseButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconTrendingDown, IconTrendingUp } from '@tabler/icons-react';
import { TANK_OUT_OF_CONTACT_MS, GATEWAY_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { needs } from '@headrace/contract/permissions';
import { gatewayCondition } from '@headrace/contract/rules/contact';
import { popupName } from '../../map/marker.ts';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import type { Condition } from '../../ui/tokens.ts';
import { useCan } from '../access/permissions.ts';
import { useFarmZone } from '../farms/current-farm.ts';
import { gatewayColour, gatewayWords } from '../gateways/gateway-facts.ts';
import type { MapDevice } from './map-devices.ts';
import { openGateway } from './map-search.ts';
import { conditionOf, stateWords, trendWord } from './tank-facts.ts';
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
  const trend = state.out ? null : trendWord(tank.trending);
  return (
    <Popup
      name={tank.name}
      kind="Tank"
      condition={conditionOf[state.condition]}
      words={stateWords(state).join(', ') || 'OK'}
      onClose={onClose}
      action={
        canOpen && (
          <Button renderRoot={(props) => <Link {...props} {...openTank(tank._id)} />} fullWidth size="sm">
            Open tank
          </Button>
        )
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
      <p className={classes.popupAge}>
        <Age at={tank.statusTime} zone={zone} staleAfter={TANK_OUT_OF_CONTACT_MS} never="No data" />
      </p>
    </Popup>
  );
}

function GatewayPopup({ device, farmUID, now, onClose }: Of<'gateway'> & { now: number }) {
  const { gateway } = device;
  const zone = useFarmZone(farmUID);
  const canOpen = useCan(needs.readGateways, farmUID);
  const condition = gatewayCondition(device.statusTime, now);
  return (
    <Popup
      name={gateway.name}
      kind="Gateway"
      condition={gatewayColour[condition]}
      words={gatewayWords[condition]}
      onClose={onClose}
      action={
        canOpen && (
          <Button
            renderRoot={(props) => <Link {...props} {...openGateway(gateway._id)} />}
            fullWidth
            size="sm"
          >
            Open gateway
          </Button>
        )
      }
    >
      <p className={classes.popupAge}>
        {gateway.connected ? 'Connected now, last contact ' : 'Not connected, last contact '}
        <Age at={gateway.statusTime} zone={zone} staleAfter={GATEWAY_OUT_OF_CONTACT_MS} />
      </p>
    </Popup>
  );
}

function PlacePopup({ device, farmUID, onClose }: Of<'repeater' | 'poi'>) {
  const { place, kind } = device;
  const zone = useFarmZone(farmUID);
  const isPoi = kind === 'poi';
  return (
    <Popup
      name={place.name}
      kind={isPoi ? 'Point of interest' : 'Repeater'}
      condition={isPoi ? 'poi' : 'sensor'}
      words={null}
      onClose={onClose}
    >
      {place.description && <p className={classes.popupText}>{place.description}</p>}
      {!isPoi && (
        <p className={classes.popupAge}>
          <Age at={place.statusTime} zone={zone}>
            Last contact
          </Age>
        </p>
      )}
    </Popup>
  );
}

interface PopupProps {
  name: string;
  kind: string;
  condition: Condition;
  words: string | null;
  onClose: () => void;
  action?: ReactNode;
  children: ReactNode;
}

function Popup({ name, kind, condition, words, onClose, action, children }: PopupProps) {
  return (
    <section className={classes.popup} aria-label={`${kind} ${name}`}>
      <header className={classes.popupHead}>
        <ConditionDot condition={condition} label={null} size={17} />
        <div>
          <h2 title={name}>{popupName(name)}</h2>
          <p>{words === null ? kind : `${kind} · ${words}`}</p>
        </div>
        <CloseButton aria-label="Close popup" size={44} onClick={onClose} />
      </header>
      {children}
      {action}
    </section>
  );
}
