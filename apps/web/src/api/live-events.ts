import type { QueryClient } from '@tanstack/react-query';
import type { Command } from '@headrace/contract/commands';
import type { IpcStops, RecordsUpdate, ServerFrame, StatusUpdate } from '@headrace/contract/live';
import type { MapUnit } from '@headrace/contract/map-units';
import type { LiveMeta } from './queries.ts';

export type ActionResult = Extract<ServerFrame, { type: 'new_action_result' }>['data'];
/** Updates that come within this time make one refetch per query, ms. */
export const BATCH_MS = 250;

function createBus<T>() {
  const listeners = new Set<(event: T) => void>();
  return {
    emit: (event: T) => listeners.forEach((listener) => listener(event)),
    on: (listener: (event: T) => void): (() => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const statusUpdates = createBus<StatusUpdate>();
/** A device's latest facts changed: one call for each message, undelayed. Returns how to stop. */
export const onStatusUpdate = statusUpdates.on;
export const emitStatusUpdate = statusUpdates.emit;

const ipcStatusUpdates = createBus<{ readonly farmUID: string; readonly ipc: MapUnit }>();
/** How a sprinkler of the watched farm is now. Returns how to stop. */
export const onIpcStatusUpdate = ipcStatusUpdates.on;
export const emitIpcStatusUpdate = ipcStatusUpdates.emit;

const ipcStops = createBus<IpcStops>();
/** Somebody inhibited sprinklers of the watched farm, or lets them water again. Returns how to stop. */
export const onIpcStops = ipcStops.on;
export const emitIpcStops = ipcStops.emit;

export type SwapResult = Extract<ServerFrame, { type: 'ipc_swap_result' }>['data'];
const swaps = createBus<SwapResult>();
/** Another unit took the place of a sprinkler. Returns how to stop. */
export const onSwap = swaps.on;
export const emitSwap = swaps.emit;

const commandUpdates = createBus<Command>();
/** How a command stands changed. Returns how to stop. */
export const onCommandUpdate = commandUpdates.on;
export const emitCommandUpdate = commandUpdates.emit;
/** All that is told of a command is told in one toast. */
export const commandToastId = (commandId: string): string => `command-${commandId}`;

export function concerns(meta: LiveMeta | undefined, update: StatusUpdate): boolean {
  if (!meta?.live?.includes(update.type)) return false;
  if (meta.farmUID !== undefined && meta.farmUID !== update.farmUID) return false;
  return meta.uid === undefined || meta.uid === update.uid;
}

/** Refetches what status updates made old, at most once per query in BATCH_MS. Returns how to stop. */
export function refetchOnStatusUpdate(queryClient: QueryClient): () => void {
  let batch: StatusUpdate[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    const updates = batch;
    batch = [];
    timer = undefined;
    void queryClient.invalidateQueries({
      predicate: (query) =>
        !(query.meta?.bringsItselfUpToDate && query.isActive()) &&
        updates.some((update) => concerns(query.meta, update)),
    });
  };
  const off = onStatusUpdate((update) => {
    batch.push(update);
    // From the first of a burst, not the last: a farm that never falls silent still shows its news.
    timer ??= setTimeout(flush, BATCH_MS);
  });
  return () => {
    off();
    clearTimeout(timer);
  };
}

/** Refetches what shows records that somebody else changed. The server gathers such news, so that it is asked no oftener. */
export function refetchOnRecordsUpdate(queryClient: QueryClient, { farmUID, kinds }: RecordsUpdate): void {
  void queryClient.invalidateQueries({
    predicate: ({ meta }) =>
      (meta?.farmUID === undefined || meta.farmUID === farmUID) &&
      meta?.records?.some((kind) => kinds.includes(kind)) === true,
  });
}
