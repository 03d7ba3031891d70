import type { IpcStatus } from '@headrace/contract/groups';
import { SPRINKLER_OUT_OF_CONTACT_DAYS } from '@headrace/contract/rules/condition';
import { Age } from '../../ui/age.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import { deviceKinds } from '../../device-records/device-kinds.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { DeviceWay } from '../devices/device-way.tsx';
import type { GroupDevice } from './group-markers.ts';
import { OtherPopup } from './other-popup.tsx';
import { Fact, MoveButton, Popup } from './popup-parts.tsx';
import { unitCondition, unitLook, unitWords } from './unit-facts.ts';
import { ValveLines } from './valve-lines.tsx';
import classes from './group-map.module.css';

export const UNIT_STALE_MS = SPRINKLER_OUT_OF_CONTACT_DAYS * 86_400_000;

export interface GroupPopupProps {
  device: GroupDevice;
  farmUID: string;
  onClose: () => void;
  /** Absent: it may not be moved. */
  onMove?: (() => void) | undefined;
}

/** What a marker's popup says. */
export function GroupPopup({ device, ...props }: GroupPopupProps) {
  return device.kind === 'ipc' ? (
    <UnitPopup unit={device.unit} {...props} />
  ) : (
    <OtherPopup device={device} {...props} />
  );
}

type UnitPopupProps = Omit<GroupPopupProps, 'device'> & { unit: IpcStatus };

function UnitPopup({ unit, farmUID, onClose, onMove }: UnitPopupProps) {
  const zone = useFarmZone(farmUID);
  return (
    <Popup
      kind="Sprinkler"
      name={unit.name}
      under={`Sprinkler · ${unit.serial}`}
      condition={unitCondition(unit)}
      look={unitLook(unit)}
      onClose={onClose}
    >
      <p className={classes.words}>{unitWords(unit)}</p>
      <ValveLines unit={unit} zone={zone} />
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
        {unit.lat === null && <Fact name="Location">None</Fact>}
      </dl>
      <div className={classes.popupActions}>
        {unit.lat !== null && <MoveButton name={unit.name} onMove={onMove} />}
        <DeviceWay kind={deviceKinds.sprinkler} farmUID={farmUID} id={unit.id} name={unit.name} />
      </div>
    </Popup>
  );
}
