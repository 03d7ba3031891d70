import type { GroupMapSearch } from '../features/group-map/map-search.ts';
import type { GroupsSearch } from '../features/groups/groups-search.ts';
import type { DevicesSearch } from '../features/devices/list-view.ts';
import type { ScheduleViewSearch } from '../features/schedule-view/view-search.ts';
import type { SensorSearch } from '../features/sensors/sensor-history.tsx';
import { changedKinds, type CompareSearch } from '../features/schedule-sets/compare-search.ts';
import { dayParam, oneOfParam, textParam, uidParam, type Search } from '../ui/url-state.ts';

/** What each page keeps in its address. */
const periods = ['Day', 'Week', 'Month', 'Year', 'Custom'] as const;

/** An open tank dialog: which tank, which tab, which days. */
function dialog(search: Search) {
  return {
    farm: uidParam(search.farm),
    tank: uidParam(search.tank),
    tab: textParam(search.tab, 40),
    period: oneOfParam(search.period, periods),
    from: dayParam(search.from),
    to: dayParam(search.to),
  };
}

/**
 * `io`: the MAC of the gateway whose inputs and relays are shown. `headlines`, `slot`: these are being edited. `health`: the number
 * of what is counted in the health history that is open, `day`: whose sprinklers it lists.
 */
const dashboard = (search: Search) => ({
  ...dialog(search),
  gateway: uidParam(search.gateway),
  io: textParam(search.io, 40),
  headlines: oneOfParam(search.headlines, ['edit']),
  slot: oneOfParam(search.slot, ['0', '1', '2', '3']),
  health: oneOfParam(search.health, ['0', '1', '2', '3', '4', '5', '6', '7', '8']),
  day: dayParam(search.day),
});
export type DashboardSearch = Partial<ReturnType<typeof dashboard>>;
export const dashboardSearch = (search: Search): DashboardSearch => dashboard(search);

/** `gateway`: one whose dialog is open. */
function tankMap(search: Search) {
  return {
    ...dialog(search),
    p: textParam(search.p, 40),
    a: textParam(search.a, 40),
    filter: textParam(search.filter, 40),
    sort: textParam(search.sort, 40),
    gateway: uidParam(search.gateway),
  };
}
export type TankMapSearch = Partial<ReturnType<typeof tankMap>>;
export const tankMapSearch = (search: Search): TankMapSearch => tankMap(search);

export interface CommandsSearch {
  show?: string | undefined;
  command?: string | undefined;
}
/** Which days of the irrigation diary, of which group, and what of them comes first. */
const diary = (search: Search) => ({
  period: oneOfParam(search.period, periods),
  from: dayParam(search.from),
  to: dayParam(search.to),
  group: uidParam(search.group),
  show: textParam(search.show, 40),
});
export type DiarySearch = Partial<ReturnType<typeof diary>>;
export const diarySearch = (search: Search): DiarySearch => diary(search);

/** `edit`: the form of a group's soil, or `farm` for the farm's. */
export const adviceSearch = (search: Search): { edit?: string | undefined } => ({
  edit: textParam(search.edit, 24),
});

export const waterTakesSearch = (
  search: Search,
): { take?: string | undefined; edit?: string | undefined } => ({
  take: uidParam(search.take),
  edit: textParam(search.edit, 3),
});

export const commandsSearch = (search: Search): CommandsSearch => ({
  show: textParam(search.show, 40),
  command: uidParam(search.command),
});

/** `command`: a send whose details are open. */
export const scheduleViewSearch = (search: Search): ScheduleViewSearch => ({
  tab: textParam(search.tab, 20),
  date: dayParam(search.date),
  set: uidParam(search.set),
  hours: oneOfParam(search.hours, ['24', '48', '168']),
  command: uidParam(search.command),
  ...diary(search),
});

/** `t`: the groups' tab. */
export interface HomeSearch extends GroupsSearch {
  q?: string | undefined;
  show?: 'attention' | undefined;
  t?: 'g' | undefined;
}
export const homeSearch = (search: Search): HomeSearch => ({
  q: textParam(search.q, 80),
  show: oneOfParam(search.show, ['attention']),
  t: oneOfParam(search.t, ['g']),
  f: uidParam(search.f),
  g: textParam(search.g, 40),
  sort: oneOfParam(search.sort, ['za']),
});

export interface LoginSearch {
  redirect?: string | undefined;
}
export const loginSearch = (search: Search): LoginSearch => ({ redirect: textParam(search.redirect, 2000) });

/** The key of a mail. */
export interface KeySearch {
  key?: string | undefined;
}
export const keySearch = (search: Search): KeySearch => ({ key: textParam(search.key, 100) });

export interface TermsSearch extends LoginSearch {
  type?: 'owner' | 'delegate' | undefined;
}
export const termsSearch = (search: Search): TermsSearch => ({
  ...loginSearch(search),
  type: oneOfParam(search.type, ['owner', 'delegate']),
});

export const groupMapSearch = (search: Search): GroupMapSearch => ({
  ...dialog(search),
  gateway: uidParam(search.gateway),
  q: textParam(search.q, 80),
  choose: textParam(search.choose, 1),
  filter: textParam(search.filter, 20),
  show: textParam(search.show, 20),
  sort: textParam(search.sort, 20),
  ipc: uidParam(search.ipc),
  kind: textParam(search.kind, 10),
  repeater: uidParam(search.repeater),
  prop: textParam(search.prop, 10),
  cond: textParam(search.cond, 10),
  value: textParam(search.value, 12),
});

/** What the lists of devices keep in their addresses, and the pages of single ones. */
export const devicesSearch = (search: Search): DevicesSearch & SensorSearch => ({
  q: textParam(search.q, 80),
  show: textParam(search.show, 40),
  sort: textParam(search.sort, 40),
  group: textParam(search.group, 24),
  gateway: textParam(search.gateway, 24),
  open: uidParam(search.open),
  repeater: uidParam(search.repeater),
  copy: uidParam(search.copy),
  measure: textParam(search.measure, 20),
  period: oneOfParam(search.period, periods),
  from: dayParam(search.from),
  to: dayParam(search.to),
});

/** `serial`: the number that was looked up. */
export interface MacLookupSearch {
  serial?: string | undefined;
}
export const macLookupSearch = (search: Search): MacLookupSearch => ({
  serial: textParam(search.serial, 40),
});

export const compareSearch = (search: Search): CompareSearch => ({
  to: uidParam(search.to),
  from: uidParam(search.from),
  kind: oneOfParam(search.kind, changedKinds),
});
