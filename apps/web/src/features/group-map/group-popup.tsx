import { lazy, Suspense, type ReactNode } from 'react';
import { CloseButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { GATEWAY_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import type { IpcStatus } from '@headrace/contract/groups';
import { gatewayCondition } from '@headrace/contract/rules/contact';
import { SPRINKLER_OUT_OF_CONTACT_DAYS } from '@headrace/contract/rules/condition';
import { popupName } from '../../map/marker.ts';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { Quantity } from '../../ui/quantity.tsx';
import type { Condition } from '../../ui/tokens.ts';
import { renewDevices } from '../devices/renew.ts';
import { useFarmZone } from '../farms/current-farm.ts';
import { gatewayColour, gatewayWords } from '../gateways/gateway-facts.ts';
import type { ConvertedPoi } from '../pois/convert-dialog.tsx';
import { kindWords, type GroupDevice, type OtherDevice } from './group-markers.ts';
import { unitCondition, unitWords } from './unit-facts.ts';
import classes from './group-map.module.css';

const ConvertPoi = lazy(() => import('../pois/convert-poi.tsx').then((m) => ({ default: m.ConvertPoi })));

export const UNIT_STALE_MS = SPRINKLER_OUT_OF_CONTACT_DAYS * 86_400_000;

export interface GroupPopupProps {
  device: GroupDevice;
  farmUID: string;
  onClose: () => void;
}

/** What a marker's popup says. */
export function GroupPopup({ device, farmUID, onClose }: GroupPopupProps) {
  return device.kind === 'ipc' ? (
    <UnitPopup unit={device.unit} farmUID={farmUID} onClose={onClose} />
  ) : (
    <OtherPopup device={device} farmUID={farmUID} onClose={onClose} />
  );
}

function UnitPopup({ unit, farmUID, onClose }: { unit: IpcStatus; farmUID: string; onClose: () => void }) {
  const zone = useFarmZone(farmUID);
  const watering = unit.activeAt.find(({ activeNow }) => activeNow) ?? unit.activeAt[0];
  return (
    <Popup
      kind="Sprinkler"
      name={unit.name}
      under={`Sprinkler · ${unit.serial}`}
      condition={unitCondition(unit)}
      onClose={onClose}
    >
      <p className={classes.words}>{unitWords(unit)}</p>
      <dl className={classes.popupFacts}>
        <Fact name="Last status">
          <Age at={unit.statustime || null} zone={zone} staleAfter={UNIT_STALE_MS} />
        </Fact>
        {unit.charge !== null && (
          <Fact name="Battery" isWrong={unit.hasBatteryError}>
            <Quantity value={unit.charge} unit="%" />
          </Fact>
        )}
        {unit.clock !== null && (
          <Fact name="Clock" isWrong={unit.hasClockError}>
            {unit.clock === 0 ? 'Right' : <Quantity value={Math.abs(unit.clock)} unit="s" />}
            {unit.clock !== 0 && (unit.clock > 0 ? ' fast' : ' slow')}
          </Fact>
        )}
        {unit.schedname !== null && (
          <Fact name="Schedule" isWrong={unit.hasScheduleError}>
            {unit.schedname}
          </Fact>
        )}
        {watering && (
          <Fact name={watering.activeNow ? 'Waters until' : 'Waters next'}>
            {exactTime(watering.activeNow ? watering.endAt : watering.startAt, zone)}
          </Fact>
        )}
        {unit.valveOpen !== null && <Fact name="Valve">{unit.valveOpen ? 'Open' : 'Closed'}</Fact>}
        {unit.lat === null && <Fact name="Location">None</Fact>}
      </dl>
    </Popup>
  );
}

function OtherPopup({
  device,
  farmUID,
  onClose,
}: {
  device: OtherDevice;
  farmUID: string;
  onClose: () => void;
}) {
  const now = useNow();
  const zone = useFarmZone(farmUID);
  const { kind, id, name, serial, statustime } = device;
  const contact = kind === 'gateway' ? gatewayCondition(statustime || null, now) : null;
  const condition = contact ? gatewayColour[contact] : kind === 'poi' ? 'poi' : 'sensor';
  return (
    <Popup
      kind={kindWords[kind]}
      name={name}
      under={serial ? `${kindWords[kind]} · ${serial}` : kindWords[kind]}
      condition={condition}
      onClose={onClose}
    >
      {contact && <p className={classes.words}>{gatewayWords[contact]}</p>}
      {kind !== 'poi' && (
        <dl className={classes.popupFacts}>
          <Fact name="Last contact">
            <Age
              at={statustime || null}
              zone={zone}
              staleAfter={kind === 'gateway' ? GATEWAY_OUT_OF_CONTACT_MS : undefined}
            />
          </Fact>
        </dl>
      )}
      {kind === 'poi' && <PoiActions poi={{ _id: id, farmUID, name }} onClose={onClose} />}
    </Popup>
  );
}

/** A point can become a sprinkler or a sensor where it stands. */
function PoiActions({ poi, onClose }: { poi: ConvertedPoi; onClose: () => void }) {
  const queryClient = useQueryClient();
  const renew = () => {
    onClose();
    void renewDevices(queryClient);
  };
  return (
    <Suspense>
      <div className={classes.popupActions}>
        <ConvertPoi poi={poi} onDone={renew} />
      </div>
    </Suspense>
  );
}

function Fact({ name, isWrong = false, children }: { name: string; isWrong?: boolean; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {isWrong && <ConditionDot condition="caution" size={13} label="Needs attention:" />}
        {children}
      </dd>
    </div>
  );
}

interface PopupProps {
  kind: string;
  name: string;
  under: string;
  condition: Condition;
  onClose: () => void;
  children: ReactNode;
}

function Popup({ kind, name, under, condition, onClose, children }: PopupProps) {
  return (
    <section className={classes.popup} aria-label={`${kind} ${name}`}>
      <header>
        <ConditionDot condition={condition} label={null} size={17} />
        <div>
          <h2 title={name}>{popupName(name)}</h2>
          <p>{under}</p>
        </div>
        <CloseButton aria-label="Close popup" size={44} onClick={onClose} />
      </header>
      {children}
    </section>
  );
}
