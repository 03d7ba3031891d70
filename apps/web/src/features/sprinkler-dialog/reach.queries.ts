import { queryOptions } from '@tanstack/react-query';
import { commandTypes, type CommandName } from '@headrace/contract/command-types';
import type { MapUnit } from '@headrace/contract/map-units';
import { call } from '../../api/client.ts';

/** How the gateways are is asked for again while the dialog is open, ms. */
const RENEW_MS = 30_000;

/** Whether a unit's gateways are there, by what sending it `command` would find. */
export const reachQuery = (farmUID: string, { mac, serial }: MapUnit, command: CommandName) =>
  queryOptions({
    queryKey: ['unit-reach', farmUID, mac, serial],
    queryFn: async ({ signal }) => {
      const body = { farmUID, type: commandTypes[command], mac, serialNumber: serial };
      return (await call('POST /commands/plan', { body, signal })).findings;
    },
    refetchInterval: RENEW_MS,
    retry: false,
  });
