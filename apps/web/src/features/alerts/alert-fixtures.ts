import type { Alert, Incident, IncidentDetails, listIncidents } from '@headrace/contract/alerts';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { HOUR, uid } from '../../testing/fixtures.ts';

export const buildAlertRecord = (n: number, farmUID: string, over: Partial<Alert> = {}): Alert => ({
  _id: uid(n),
  farmUID,
  name: 'Tank low',
  enabled: true,
  kind: 'TankLow',
  deviceIds: [],
  condition: 'below',
  value: 20,
  holdMinutes: 15,
  clearValue: null,
  class: null,
  watch: null,
  inputs: [],
  people: [],
  escalation: null,
  paused: null,
  watches: 4,
  lastNotifiedAt: null,
  version: 1,
  createdAt: '2026-11-20T21:00:00.000Z',
  updatedAt: '2026-11-20T21:00:00.000Z',
  ...over,
});

export const buildIncident = (n: number, farmUID: string, over: Partial<Incident> = {}): Incident => ({
  uid: uid(n),
  farmUID,
  alertUID: uid(1),
  alertName: 'Tank low',
  kind: 'TankLow',
  class: 'important',
  title: 'Home Block: Tank low: Trough 4',
  message: 'Trough 4 is at 12 %, below 20 % since 05:40.',
  openedAt: new Date(Date.now() - HOUR).toISOString(),
  endedAt: null,
  isUnwatched: false,
  seenLateAt: null,
  answeredBy: null,
  answeredAt: null,
  snoozedUntil: null,
  snoozedBy: null,
  devices: [],
  count: 1,
  version: 1,
  ...over,
});

export const buildDetails = (incident: Incident, over: Partial<IncidentDetails> = {}): IncidentDetails => ({
  ...incident,
  steps: [],
  map: null,
  chart: null,
  valves: [],
  ...over,
});

/** All that is so. */
export const buildIncidentPage = (
  open: Incident[],
  over: Partial<ReplyOf<typeof listIncidents>> = {},
): ReplyOf<typeof listIncidents> => ({
  open,
  ended: [],
  more: { open: false, ended: false },
  count: { open: open.length, ended: 0 },
  outages: [],
  ...over,
});
