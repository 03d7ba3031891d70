import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { GATEWAY_OUT_OF_CONTACT_MS } from '@headrace/contract/limits';
import { can, needs } from '@headrace/contract/permissions';
import { tankTypes } from '@headrace/contract/sensor-types';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { PopupBox } from '../../map/popup-box.tsx';
import { useCan } from '../../access/permissions.ts';
import { deviceKinds } from '../../device-records/device-kinds.ts';
import { poiText } from '../../device-records/marker-look.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { DeviceAlerts } from '../../device-records/lazy-device-alerts.tsx';
import { DeviceWay } from '../devices/device-way.tsx';
import { renewDevices } from '../changes/renew.ts';
import { openGateway } from '../gateways/gateway-search.ts';
import { useTankInsights } from '../insights/use-tank-insights.ts';
import type { ConvertedPoi } from '../pois/convert-dialog.tsx';
import { openRepeater } from '../repeaters/repeater-search.ts';
import { MapPopupContent } from '../tanks/map-popup-content.tsx';
import { tankDevice } from '../tanks/map-devices.ts';
import { tanksQuery } from '../tanks/tanks.queries.ts';
import { kindLabels, type OtherDevice, otherStanding } from './group-markers.ts';
import { Fact, MoveButton } from './popup-parts.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import classes from './group-map.module.css';

const ConvertPoi = lazyPart(() => import('../pois/convert-poi.tsx').then((m) => m.ConvertPoi), {
  failed: "Converting it couldn't be loaded",
  isLine: true,
});

export interface OtherPopupProps {
  device: OtherDevice;
  farmUID: string;
  onClose: () => void;
  /** Absent: it may not be moved. */
  onMove?: (() => void) | undefined;
}

/** The popup of a device that isn't a sprinkler. */
export default function OtherPopup(props: OtherPopupProps) {
  const { kind, type } = props.device;
  return kind === 'sensor' && tankTypes.includes(type) ? <TankPopup {...props} /> : <PlainPopup {...props} />;
}

/** A tank says its level. Until that is known, or where it can't be, what the map knows of it. */
function TankPopup(props: OtherPopupProps) {
  const { device, farmUID, onClose } = props;
  const now = useNow();
  const mayAsk = useCan(needs.tankSummary, farmUID);
  const { data } = useQuery({ ...tanksQuery(farmUID), enabled: mayAsk });
  const found = useTankInsights(farmUID).get(device.id);
  const tank = data?.find(({ _id }) => _id === device.id);
  if (!tank) return <PlainPopup {...props} />;
  return <MapPopupContent device={tankDevice(tank, now, found)} farmUID={farmUID} onClose={onClose} />;
}

function PlainPopup({ device, farmUID, onClose, onMove }: OtherPopupProps) {
  const now = useNow();
  const zone = useFarmZone(farmUID);
  const { kind, id, name, serial, statustime } = device;
  const { condition, label } = otherStanding(device, now);
  const what = kind === 'poi' ? poiText(device.icon) : kindLabels[kind];
  return (
    <PopupBox
      kind={what}
      name={name}
      under={serial ? `${what} · ${serial}` : what}
      condition={condition}
      onClose={onClose}
      actions={
        <>
          {kind === 'gateway' && <OpenGateway id={id} farmUID={farmUID} />}
          {kind === 'repeater' && <OpenRepeater id={id} farmUID={farmUID} />}
          {device.lat !== null && <MoveButton name={name} onMove={onMove} />}
          <DeviceWay kind={deviceKinds[kind]} {...{ farmUID, id, name }} />
          {kind === 'poi' && <PoiActions poi={{ _id: id, farmUID, name }} onClose={onClose} />}
        </>
      }
    >
      {label && <p className={classes.text}>{label}</p>}
      {kind !== 'poi' && <DeviceAlerts farmUID={farmUID} uid={id} />}
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
    </PopupBox>
  );
}

function OpenGateway({ id, farmUID }: { id: string; farmUID: string }) {
  if (!useCan(needs.readGateways, farmUID)) return null;
  return (
    <Button renderRoot={(props) => <Link {...props} {...openGateway(id)} />} mih={44}>
      Open gateway
    </Button>
  );
}

function OpenRepeater({ id, farmUID }: { id: string; farmUID: string }) {
  if (!useCan({ anyOf: [can('repeaters', 'Read')] }, farmUID)) return null;
  return (
    <Button renderRoot={(props) => <Link {...props} {...openRepeater(id)} />} mih={44}>
      Open repeater
    </Button>
  );
}

/** A point can become a sprinkler or a sensor where it stands. */
function PoiActions({ poi, onClose }: { poi: ConvertedPoi; onClose: () => void }) {
  const queryClient = useQueryClient();
  const renew = () => {
    onClose();
    void renewDevices(queryClient);
  };
  return <ConvertPoi poi={poi} onDone={renew} />;
}
