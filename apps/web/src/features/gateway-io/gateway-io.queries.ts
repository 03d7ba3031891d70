import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { GatewayMonitor, IoSettings } from '@headrace/contract/gateway-io';
import { call } from '../../api/client.ts';

const ofFarm = (farmUID: string) => ['gateway-io', farmUID] as const;

/** Inputs and relays of a gateway: of the one with this MAC, else of the farm's first that has some. Null: none has. */
export const gatewayMonitorQuery = (farmUID: string, mac?: string) =>
  queryOptions({
    queryKey: [...ofFarm(farmUID), mac ?? 'first'],
    queryFn: ({ signal }) =>
      call('GET /gateway/monitor', { query: { farmUID, ...(mac && { mac }) }, signal }),
    // A bound tank's level decides whether its relay may be switched on, and a gateway that comes or goes, whether any may.
    meta: { live: ['io', 'gateway', 'tank_level'], records: ['gateway', 'sensor'], farmUID },
  });

/** Stores titles, bindings, on times and overrides of a gateway; what it answers is shown at once. */
export function useSaveIoSettings(farmUID: string, mac: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (ioSettings: IoSettings) =>
      call('POST /gateway/iosettings', { body: { farmUID, mac, ioSettings } }),
    onSuccess: (saved: GatewayMonitor) => {
      queryClient.setQueriesData<GatewayMonitor | null>({ queryKey: ofFarm(farmUID) }, (known) =>
        known?._id === saved._id ? saved : known,
      );
    },
  });
}
