import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import type { Alert, Incident } from '@headrace/contract/alerts';
import type { PauseTime, SnoozeTime } from '@headrace/contract/rules/alerts/snooze-times';
import { call, errorText } from '../../api/client.ts';
import { toast } from '../../ui/toasts.ts';

/** What the people of a farm want to be told. */
export const alertsQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['alerts', farmUID],
    queryFn: ({ signal }) => call('GET /alerts', { query: { farmUID }, signal }),
    refetchOnMount: 'always',
    meta: { records: ['alert'], farmUID },
  });

const incidentsKey = (farmUID: string) => ['alert-incidents', farmUID];

/** What is so now, or what was; page by page. Values move while it is so: asked for by the minute. */
export const incidentsQuery = (farmUID: string, state: 'open' | 'ended') =>
  infiniteQueryOptions({
    queryKey: [...incidentsKey(farmUID), state],
    queryFn: ({ signal, pageParam: before }) =>
      call('GET /alert/incidents', { query: { farmUID, state, ...(before && { before }) }, signal }),
    initialPageParam: '',
    getNextPageParam: (page) => (page.more[state] ? page[state].at(-1)?.uid : undefined),
    refetchOnMount: 'always',
    refetchInterval: 60_000,
    meta: { records: ['alert'], farmUID },
  });

export const incidentQuery = (farmUID: string, uid: string) =>
  queryOptions({
    queryKey: ['alert-incident', farmUID, uid],
    queryFn: ({ signal }) => call('GET /alert/incident', { query: { farmUID, uid }, signal }),
    refetchOnMount: 'always',
    meta: { records: ['alert'], farmUID },
  });

export const alertQuery = (alertUID: string) =>
  queryOptions({
    queryKey: ['alert', alertUID],
    queryFn: ({ signal }) => call('GET /alert', { query: { alertUID }, signal }),
    meta: { records: ['alert'] },
    refetchOnMount: 'always',
  });

export const watchableQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['alert-devices', farmUID],
    queryFn: async ({ signal }) => (await call('GET /alert/devices', { query: { farmUID }, signal })).devices,
    meta: { records: ['gateway', 'sensor', 'sprinkler', 'repeater'], farmUID },
  });

/** Who is told of the farm's alerts. */
export const alertPeopleQuery = (farmUID: string) =>
  queryOptions({
    queryKey: ['alert-people', farmUID],
    queryFn: async ({ signal }) => (await call('GET /alert/people', { query: { farmUID }, signal })).people,
    refetchOnMount: 'always',
  });

/** "I'm on it": the server says who is, also where somebody was quicker, and refuses it where it got worse than is shown here. */
export function useAnswer(farmUID: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ uid, version, class: seen }: Pick<Incident, 'uid' | 'version' | 'class'>) =>
      call('POST /alert/answer', { body: { farmUID, uid, version, class: seen } }),
    ...outcome(queryClient, farmUID, ({ uid }) => uid),
  });
}

/** What became of it is shown with how it is then. Of what could not be sent nobody waits for that: without a network it would never come. */
function outcome<Asked>(queryClient: QueryClient, farmUID: string, uidOf: (asked: Asked) => string) {
  const refetch = (asked: Asked) =>
    Promise.all(
      [incidentsKey(farmUID), incidentQuery(farmUID, uidOf(asked)).queryKey].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
  return {
    onSuccess: async ({ text }: { text: string }, asked: Asked) => {
      toast.success(text);
      await refetch(asked);
    },
    onError: (error: Error, asked: Asked) => {
      toast.error(errorText(error));
      void refetch(asked);
    },
  };
}

type Seen = Pick<Incident, 'uid' | 'class'>;

/** Nobody is told that it goes on; the server says until when. */
export function useSnooze(farmUID: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ incident: { uid, class: seen }, until }: { incident: Seen; until: SnoozeTime }) =>
      call('POST /alert/snooze', { body: { farmUID, uid, until, class: seen } }),
    ...outcome(queryClient, farmUID, ({ incident: { uid } }) => uid),
  });
}

/** On or off, here at once; as it was where that could not be stored. */
export function useSwitchAlert(farmUID: string) {
  const queryClient = useQueryClient();
  const { queryKey } = alertsQuery(farmUID);
  return useMutation({
    mutationFn: ({ alert, enabled }: { alert: Alert; enabled: boolean }) =>
      call('PUT /alert', { body: { ...bodyOf(alert), enabled } }),
    onMutate: ({ alert, enabled }) =>
      queryClient.setQueryData(
        queryKey,
        (before) =>
          before && {
            ...before,
            alerts: before.alerts.map((one) => (one._id === alert._id ? { ...one, enabled } : one)),
          },
      ),
    onError: (error) => toast.error(errorText(error)),
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
}

const bodyOf = (alert: Alert) => {
  const {
    farmUID: _f,
    watches: _w,
    lastNotifiedAt: _l,
    paused: _p,
    createdAt: _c,
    updatedAt: _u,
    ...body
  } = alert;
  return body;
};

/** The alerts of a farm, what they found, or both are otherwise. */
export const useRefetch = (farmUID: string) => {
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [alertsQuery(farmUID).queryKey, incidentsKey(farmUID)].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    );
};

/** An alert, a device, or (neither) all of the farm. */
export interface Paused {
  readonly alertUID: string | null;
  readonly deviceUID?: string;
}

/** What an alert, a device or the farm has to tell is in the bell alone; the server says until when. */
export function usePause(farmUID: string) {
  const onSettled = useRefetch(farmUID);
  return useMutation({
    mutationFn: (asked: Paused & { until: PauseTime }) =>
      call('POST /alert/pause', { body: { farmUID, ...asked } }),
    onSuccess: ({ text }) => toast.success(text),
    onError: (error) => toast.error(errorText(error)),
    onSettled,
  });
}

export function useResume(farmUID: string) {
  const onSettled = useRefetch(farmUID);
  return useMutation({
    mutationFn: ({ alertUID, ...device }: Paused) =>
      call('DELETE /alert/pause', {
        query: { farmUID, ...device, ...(alertUID !== null && { alertUID }) },
      }),
    onError: (error) => toast.error(errorText(error)),
    onSettled,
  });
}
