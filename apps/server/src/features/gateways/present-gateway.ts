import type { Gateway } from '@headrace/contract/gateways';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import type { GatewayState } from './gateways.repo.ts';

/** As its page shows it. */
export function toGateway(farm: FarmRow, device: DeviceRow, state: GatewayState | undefined): Gateway {
  const statusTime = state?.contact_at?.toISOString() ?? null;
  return {
    _id: device.uid,
    name: device.name,
    siteName: farm.name,
    macAddress: device.mac ?? '',
    serialNumber: device.serial_number,
    type: device.type,
    farmUID: farm.uid,
    location: { lat: device.lat ?? farm.lat, lng: device.lng ?? farm.lng },
    settings: state?.settings ?? {},
    info: state?.info ?? {},
    latestStatus: state && statusTime !== null ? [{ ...state.data, statusTime }] : [],
    statusTime,
    connected: state?.online ?? false,
    description: device.description,
    channel: Number(device.settings['channel'] ?? 1),
    spfactor: device.settings.spfactor ?? 10,
    sync: state !== undefined && state.list_rev !== state.acked_rev,
    version: device.version,
    updatedAt: device.updated_at.toISOString(),
  };
}
