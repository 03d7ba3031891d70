import type { Ipc } from '@headrace/contract/irrigation-devices';
import {
  type Radio,
  spareReadiness,
  type SpareReadiness,
  spareStatuses,
} from '@headrace/contract/rules/spare-readiness';
import type { FarmRow } from '../../db/schema.ts';
import { chargeSince, replacedAt } from '../devices/battery.ts';
import { radioOf } from '../devices/farm-radio.ts';
import type { UnitLimits } from '../gateways/unit-limits.ts';
import { remember } from '../../remember.ts';
import type { UnitRow } from './units.repo.ts';

/** Mesh 0, Local 1, Hybrid 2. */
export const LOCAL = 1;

const notASpare: SpareReadiness = { status: spareStatuses.Unknown, reasons: [] };

/** As lists and forms have it. Whether it is ready is only asked of a spare; the others stay the same objects. */
export function toIpc(farm: Pick<FarmRow, 'uid'>, row: UnitRow, farmRadio: Radio | null): Ipc {
  return made(row, farm.uid, row.settings['isSpareUnit'] === true ? farmRadio : null);
}

const made = remember((row: UnitRow, farmUid: string, farmRadio: Radio | null): Ipc => {
  const { settings } = row;
  const is = (name: string) => settings[name] === true;
  const { status, reasons } = readinessOf(row, farmRadio, {
    charge: row.charge_limit,
    clock: row.clock_limit,
  });
  return {
    _id: row.uid,
    id: row.uid,
    farmUID: farmUid,
    name: row.name,
    description: row.description,
    serialNumber: row.serial_number,
    macAddress: row.mac ?? '',
    ...radioOf(row),
    commsMode: settings['commsMode'] ?? LOCAL,
    type: row.type,
    lat: row.lat,
    lng: row.lng,
    groups: row.groups,
    gatewayUID: row.gateway_uid,
    isSpareUnit: is('isSpareUnit'),
    isPartSprinkler: is('isPartSprinkler'),
    isPOI: settings['isPOI'] !== false,
    isPlaceholder: is('isPlaceholder'),
    outOfService: is('outOfService'),
    reconfigure: is('reconfigure'),
    spareStatus: status,
    spareReasons: reasons,
    mode: row.mode,
    pollTime: row.polled_at === null ? 0 : Date.parse(row.polled_at),
    statusTime: row.status_at ?? 0,
    charge: chargeSince(row),
    replaceBatteryAt: replacedAt(row),
    version: row.version,
    updatedAt: new Date(row.updated_at).toISOString(),
  };
});

type Judged = Pick<
  UnitRow,
  'settings' | 'status_at' | 'charge' | 'charge_at' | 'clock' | 'mode' | 'has_twin'
>;

export function readinessOf(row: Judged, farmRadio: Radio | null, limits: UnitLimits): SpareReadiness {
  if (row.settings['isSpareUnit'] !== true) return notASpare;
  return spareReadiness({
    isContacted: row.status_at !== null && row.status_at > swappedAt(row.settings),
    charge: chargeSince(row),
    clock: row.clock,
    limits,
    mode: row.mode,
    radio: radioOf(row),
    farmRadio,
    hasTwin: row.has_twin,
  });
}

/** Since when this very unit is what the record is of, epoch ms: what was heard before is the word of another. */
function swappedAt({ swappedAt: at }: Judged['settings']): number {
  return typeof at === 'string' ? Date.parse(at) : 0;
}
