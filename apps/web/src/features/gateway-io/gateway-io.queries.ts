import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { GatewayMonitor, IoSettings } from '@headrace/contract/gateway-io';
import { ApiError, call } from '../../api/client.ts';
import { type RelayName, withRelay } from './with-relay.ts';

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

/** What is saved, and of which version it is a change. */
interface IoChange {
  ioSettings: IoSettings;
  version: number | undefined;
}

/** Stores titles, bindings, on times and overrides of a gateway; what it answers is shown at once. */
export const useSaveIoSettings = (farmUID: string, mac: string) =>
  useSaving(farmUID, (change: IoChange) =>
    call('POST /gateway/iosettings', { body: { farmUID, mac, ...change } }),
  );

/** Gives a relay back to its tank, and leaves all else as it is: also what somebody has changed since it was shown. */
export function useEndOverride(farmUID: string, monitor: GatewayMonitor) {
  const end = (name: RelayName, { mac, ioSettings, version }: GatewayMonitor) =>
    call('POST /gateway/iosettings', {
      body: { farmUID, mac, version, ioSettings: withRelay(ioSettings, name, { overriddenAt: null }) },
    });
  return useSaving(farmUID, (name: RelayName) =>
    end(name, monitor).catch((fault: unknown) => {
      const current = fault instanceof ApiError && fault.status === 409 ? fault.current : undefined;
      if (current === undefined) throw fault;
      return end(name, current as GatewayMonitor);
    }),
  );
}

function useSaving<T>(farmUID: string, save: (what: T) => Promise<GatewayMonitor>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: save,
    onSuccess: (saved) => {
      queryClient.setQueriesData<GatewayMonitor | null>({ queryKey: ofFarm(farmUID) }, (known) =>
        known?._id === saved._id ? saved : known,
      );
    },
  });
}
