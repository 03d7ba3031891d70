import type { DeviceRow } from '../../../db/schema.ts';
import type { FarmNow } from './farm-now.ts';
import type { Kept } from './snapshot.ts';

/** What stays with the unit that is there: the record of a backup can't change what is so in the hardware. */
export interface Hardware {
  /** By uid of a device of the farm: why its MAC and serial number stay as they are. */
  readonly keeping: ReadonlyMap<string, string>;
  /** By uid of a device that left: why it can't come back. */
  readonly away: ReadonlyMap<string, string>;
}

type Holder = Pick<DeviceRow, 'uid' | 'name'>;

/**
 * Devices with another MAC than in the backup are other units: they keep MAC and serial number, and no other device can have those
 * back. Nor those of whom that leaves where they are.
 */
export function planHardware(kept: readonly Kept[], now: FarmNow): Hardware {
  const keeping = new Map<string, string>();
  const away = new Map<string, string>();
  const macs = new Map<string, Holder>();
  const serials = new Map<string, Holder>();
  const keep = (row: DeviceRow, why: string) => {
    keeping.set(row.uid, why);
    if (row.mac !== null) macs.set(row.mac, row);
    if (holdsSerial(row)) serials.set(serialKey(row.kind, row.serial_number), row);
  };
  const waiting = kept.flatMap((device) => {
    const row = now.devices.get(device._id);
    return row ? [{ device, row, isLive: row.deleted_at === null }] : [];
  });
  for (const { device, row, isLive } of waiting)
    if (isLive && row.mac !== null && row.mac !== device.macAddress) keep(row, keepsText(row, device));
  // Who keeps its own because of another one may be in a third one's way.
  for (let known = -1; known !== keeping.size; ) {
    known = keeping.size;
    for (const { device, row, isLive } of waiting) {
      if (keeping.has(row.uid)) continue;
      const why = whyTaken(device, row, { macs, serials });
      if (why === null) continue;
      if (isLive) keep(row, `It keeps its own: ${why}`);
      else away.set(row.uid, `It can't come back: ${why}`);
    }
  }
  return { keeping, away };
}

function whyTaken(
  device: Kept,
  row: DeviceRow,
  { macs, serials }: { macs: ReadonlyMap<string, Holder>; serials: ReadonlyMap<string, Holder> },
): string | null {
  const mac = macs.get(device.macAddress);
  if (mac && device.macAddress !== '')
    return `the MAC address ${device.macAddress} is in use as ${mac.name}.`;
  const serial = serials.get(serialKey(device.kind, device.serialNumber));
  if (
    !serial ||
    (device.sharesSerial ?? row.shares_serial) ||
    device.kind === 'poi' ||
    device.settings['isPlaceholder'] === true
  )
    return null;
  return `the serial number ${device.serialNumber} is in use as ${serial.name}.`;
}

function keepsText({ mac, serial_number: serial }: DeviceRow, { kind, macAddress, serialNumber }: Kept) {
  const was = macAddress === '' ? 'none' : macAddress;
  const number = serial === serialNumber ? '' : ` and the serial number ${serial || 'that is empty'}`;
  const name = kind === 'gateway' ? 'signs in with it' : 'is heard by it';
  return `It keeps the MAC address ${mac}${number}: the hardware ${name}. In the backup the MAC address is ${was}.`;
}

const holdsSerial = ({ kind, serial_number, settings, shares_serial }: DeviceRow): boolean =>
  kind !== 'poi' && serial_number.trim() !== '' && settings['isPlaceholder'] !== true && !shares_serial;

/** Sprinklers and repeaters share their numbers; case and blanks don't count. */
const serialKey = (kind: Kept['kind'], serial: string): string =>
  `${kind === 'repeater' ? 'sprinkler' : kind} ${serial.replaceAll(/\s/g, '').toLowerCase()}`;
