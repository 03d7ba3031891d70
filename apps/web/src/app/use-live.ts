import { useEffect, useRef, useState } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { APP_VERSION } from '@headrace/contract/limits';
import type { ServerFrame, Watch } from '@headrace/contract/live';
import { fromUnitRow } from '@headrace/contract/rules/unit-rows';
import { call } from '../api/client.ts';
import { connectLive, type LiveConnection, type LiveState } from '../api/live.ts';
import {
  commandToastId,
  emitCommandUpdate,
  emitIpcStatusUpdate,
  emitIpcStops,
  emitStatusUpdate,
  emitSwap,
  refetchOnRecordsUpdate,
  refetchOnStatusUpdate,
  type ActionResult,
} from '../api/live-events.ts';
import { renewSubscription, session, signOut } from '../api/session.ts';
import { permissionsQuery, receivePermissions } from '../access/permissions.ts';
import { useSession } from '../session/use-session.ts';
import { useCurrentFarm } from '../farm/current-farm.ts';
import { farmsCardQuery } from '../farm/farms.queries.ts';
import { refetchOnCommandEnd, renewUnseen } from '../features/commands/unseen.queries.ts';
import { patchOnIpcStatusUpdate, receiveSprinklerCounts } from '../features/group-map/group-map.queries.ts';
import {
  notificationsQuery,
  receiveNotification,
  wantsActions,
} from '../features/notifications/notifications.queries.ts';
import { globalSettingsQuery, receiveSettings, settingsQuery } from '../preferences/settings.queries.ts';
import { renewShares } from '../features/sharing/sharing.queries.ts';
import { toast } from '../ui/toasts.ts';
import { followWatched } from './follow-watched.ts';

const LOST_ID = 'live-lost';
/** After the first opening, so that it takes nothing from what the page is still loading, ms. */
const CATCH_UP_MS = 2000;
/** What live messages bring themselves, or what no message makes old. */
const notMissed = new Set(
  [settingsQuery, permissionsQuery, globalSettingsQuery, notificationsQuery].map(
    ({ queryKey }) => queryKey[0],
  ),
);

/** Keeps the live connection while signed in. `isOutdated`: the server runs another version than this page. */
export function useLive(): { isOutdated: boolean } {
  const queryClient = useQueryClient();
  const { token } = useSession();
  const [isOutdated, setIsOutdated] = useState(false);
  const connection = useRef<LiveConnection>(null);
  const farmUID = useCurrentFarm()?._id;
  const watched = useRef<Watch>(undefined);

  useEffect(() => {
    let late: ReturnType<typeof setTimeout> | undefined;
    const live = connectLive(token, {
      onFrame: (frame) => receive(queryClient, frame, setIsOutdated),
      onOpen: (again) => {
        setIsOutdated(false);
        if (again) return catchUp(queryClient);
        const openedAt = Date.now();
        late = setTimeout(() => catchUpSince(queryClient, openedAt), CATCH_UP_MS);
        return undefined;
      },
      onState: showState,
      onRefused: () => signOut('ended'),
    });
    connection.current = live;
    if (watched.current) live.watch(watched.current);
    const onSeen = () => document.visibilityState === 'visible' && live.reconnectNow();
    addEventListener('online', onSeen);
    document.addEventListener('visibilitychange', onSeen);
    const stopRefetching = refetchOnStatusUpdate(queryClient);
    const stopAsking = refetchOnCommandEnd(queryClient);
    const stopPatching = patchOnIpcStatusUpdate(queryClient);
    return () => {
      removeEventListener('online', onSeen);
      document.removeEventListener('visibilitychange', onSeen);
      clearTimeout(late);
      stopRefetching();
      stopAsking();
      stopPatching();
      live.close();
      toast.close(LOST_ID);
    };
  }, [queryClient, token]);

  useEffect(() => {
    if (farmUID === undefined) return undefined;
    const stop = followWatched(farmUID, (farm) => {
      watched.current = farm;
      connection.current?.watch(farm);
    });
    return () => {
      stop();
      watched.current = undefined;
      // What changes there from now on isn't told: however young, it is asked for when it is shown again.
      void queryClient.invalidateQueries({
        predicate: ({ meta }) => meta?.farmUID === farmUID,
        refetchType: 'none',
      });
    };
  }, [queryClient, farmUID]);
  return { isOutdated };
}

function showState(state: LiveState): void {
  if (state === 'open') toast.close(LOST_ID);
  // Whether calls still get through isn't said by a lost connection: they say it themselves.
  if (state === 'lost' && session().logged) call('GET /ims-settings').catch(() => undefined);
  // Without a network the offline notice says it already.
  if (state === 'lost' && navigator.onLine) toast.notice('Lost connection to the server.', { id: LOST_ID });
}

/** Whatever may have changed without a message of its own is asked for. */
function catchUp(queryClient: QueryClient): void {
  void queryClient.invalidateQueries({ predicate: ({ queryKey }) => !notMissed.has(queryKey[0] as string) });
}

/** What was asked for before messages could come is asked for again, unless one has done so: it may be older than the first message. */
function catchUpSince(queryClient: QueryClient, openedAt: number): void {
  void queryClient.invalidateQueries({
    predicate: ({ meta, state }) => meta?.live !== undefined && state.dataUpdatedAt < openedAt,
  });
}

function receive(queryClient: QueryClient, frame: ServerFrame, setIsOutdated: (is: boolean) => void): void {
  switch (frame.type) {
    case 'settings':
      return receiveSettings(queryClient, frame.data);
    case 'permissions':
      return receivePermissions(queryClient, frame.data);
    case 'app_version':
      return setIsOutdated(frame.data.version !== APP_VERSION);
    case 'status_update':
      return emitStatusUpdate(frame.data);
    case 'ipc_status_update':
      return emitIpcStatusUpdate(frame.data);
    case 'ipc_status_batch': {
      const { farmUID, units } = frame.data;
      for (const row of units) emitIpcStatusUpdate({ farmUID, ipc: fromUnitRow(row) });
      return undefined;
    }
    case 'ipc_stops':
      return emitIpcStops(frame.data);
    case 'ipc_counts':
      return receiveSprinklerCounts(queryClient, frame.data);
    case 'records_update':
      return refetchOnRecordsUpdate(queryClient, frame.data);
    case 'command_update':
      return emitCommandUpdate(frame.data);
    case 'command_seen':
      return renewUnseen(queryClient, frame.data.farmUID);
    case 'ipc_swap_result':
      toast[frame.data.success ? 'success' : 'error'](frame.data.message);
      // Rare, and much of a farm names its units.
      catchUp(queryClient);
      return emitSwap(frame.data);
    case 'new_action_result':
      return showResult(frame.data, wantsActions(queryClient));
    case 'subscription_valid_until':
      if (session().type === 'SUBSCRIBER') renewSubscription(frame.data.subscriptionValidUntil);
      return void queryClient.invalidateQueries({ queryKey: farmsCardQuery.queryKey });
    case 'new_notification':
      // It may be somebody's answer to an invitation.
      void renewShares(queryClient);
      return receiveNotification(queryClient, frame);
    case 'notifications':
      return receiveNotification(queryClient, frame);
    case 'pong':
    case 'default_settings':
      // An answer is there to be heard. The defaults are part of this version; the frame is for clients of other versions.
      return undefined;
    default:
      return frame satisfies never;
  }
}

/**
 * One toast per command, which its next result replaces. Whoever doesn't want action notifications still sees the end of
 * what this page says is under way.
 */
function showResult({ message, type, commandId }: ActionResult, isWanted: boolean): void {
  const options = { id: commandToastId(commandId) };
  if (!isWanted && !toast.isShown(options.id)) return;
  if (type === 'error') toast.error(message, options);
  else if (type === 'success' || type === 'ack') toast.success(message, options);
  else toast.action(message, options);
}
