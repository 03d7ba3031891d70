import type { SnoozeTime } from '@headrace/contract/rules/alerts/snooze-times';
import { ALERT_DEVICES_LISTED } from '@headrace/contract/limits';
import {
  type Incident,
  type IncidentDetails,
  type IncidentStep,
  type listIncidents,
  type listOpenIncidents,
  OPEN_LISTED,
} from '@headrace/contract/alerts';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { type AlertClass, isWorse } from '@headrace/contract/rules/alerts/alert-kinds';
import type { Timezone } from '@headrace/contract/farms';
import { answeredUntil } from '@headrace/contract/rules/alerts/alert-life';
import {
  type AlertEpisode,
  alertMessage,
  alertSentence,
  alertTitle,
  endMessage,
  farmClock,
  isUnwatched,
  outageSentence,
  overText,
} from '@headrace/contract/rules/alerts/alert-texts';
import type { Gap } from '@headrace/contract/rules/alerts/silence';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, invalid, notFound } from '../../http/errors.ts';
import { tellServers } from '../../live/database-news.ts';
import type { AccessService } from '../access/access.service.ts';
import type { By } from '../devices/record-change.ts';
import { LIMIT_BACK } from './ways-now.ts';
import { toZone } from '../farm-clock/farm-zone.ts';
import type { Messages } from '../messages/messages.ts';
import { grouped } from './grouped.ts';
import type { IncidentOfFarm } from './incident-lists.repo.ts';
import type { IncidentsRepo, Standing } from './incidents.repo.ts';
import { tellPeople } from './tell-people.ts';
import { snoozeUntil } from './snooze-until.ts';
import { alertSubject, alertEpisode } from './incident-subject.ts';

const DAY_MS = 86_400_000;
const LISTED_DAYS = 30;
const OUTAGES_DAYS = 7;
const LISTED = { open: OPEN_LISTED, ended: 50 };

/** Of the list of a farm: one of its parts, and behind which of it. */
interface Asked {
  readonly state?: 'open' | 'ended';
  readonly before?: string;
}

/** How urgent it was when its person saw it; null: nobody knows; unsaid: by a page that is older than the question. */
type SeenClass = AlertClass | 'unsaid' | null;

/** An incident, as its person saw it. */
export interface Answered {
  readonly uid: string;
  readonly seen: SeenClass;
}

type Episodes = Awaited<ReturnType<IncidentsRepo['episodes']>>;

/** What is so on a farm, what was, and who is on it. */
export function createIncidentsService(
  incidents: IncidentsRepo,
  messages: Pick<Messages, 'notify' | 'cancel'>,
  access: Pick<AccessService, 'grants'>,
) {
  /** Of farms, whose incidents these are. */
  async function withEpisodes(
    farms: readonly FarmRow[],
    rows: readonly IncidentOfFarm[],
    now: Date,
    only: { isOpen?: boolean; deviceUid?: string | undefined } = {},
  ): Promise<Incident[]> {
    const byId = new Map(farms.map((farm) => [farm.id, farm]));
    const episodes = await incidents.episodes(
      [...byId.keys()],
      rows.map(({ id }) => id),
      only.isOpen,
    );
    const ofIncident = grouped(episodes, ({ incident_id }) => incident_id);
    return rows.flatMap((row) => {
      const farm = byId.get(row.farm_id);
      return farm ? [toIncident(farm, row, ofIncident.get(row.id) ?? [], now.getTime(), only.deviceUid)] : [];
    });
  }

  async function one(
    farm: FarmRow,
    uid: string,
    now: Date,
  ): Promise<{ row: IncidentOfFarm; incident: Incident }> {
    const row = await incidents.find(farm.id, uid.toLowerCase());
    const [incident] = row ? await withEpisodes([farm], [row], now) : [];
    if (!row || !incident) throw notFound();
    return { row, incident };
  }

  return {
    /** A page of what is so and of what is over, or of one of them from behind an incident on. */
    async list(farm: FarmRow, asked: Asked, now: Date): Promise<ReplyOf<typeof listIncidents>> {
      const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
      const [open, ended, count, outages] = await Promise.all([
        pageOf(incidents, farm, 'open', asked),
        pageOf(incidents, farm, 'ended', asked),
        incidents.counts(farm.id, { endedSince: daysAgo(LISTED_DAYS) }),
        incidents.outages(now, daysAgo(OUTAGES_DAYS)),
      ]);
      const presented = await withEpisodes([farm], [...open.rows, ...ended.rows], now);
      return {
        open: presented.slice(0, open.rows.length),
        ended: presented.slice(open.rows.length),
        more: { open: open.isCut, ended: ended.isCut },
        count,
        outages: outages.map((gap) => toOutage(gap, farm, now)),
      };
    },

    /** Of all farms of whose alerts an account is told, or of one device of them. `cut`: farms of which not all fits. */
    async open(
      accountId: number,
      deviceUid: string | undefined,
      now: Date,
    ): Promise<ReplyOf<typeof listOpenIncidents>> {
      const grants = await access.grants(accountId, now);
      const farms = grants.filter(({ permissions }) => permissions.notifications).map(({ farm }) => farm);
      const rows = await incidents.open(
        farms.map(({ id }) => id),
        deviceUid,
      );
      const alone = deviceUid === undefined ? await incidents.inBellAlone(accountId, farms, now) : [];
      const isCut = new Set(rows.flatMap((row) => (row.of_farm > OPEN_LISTED ? row.farm_id : [])));
      return {
        open: await withEpisodes(farms, rows, now, { isOpen: true, deviceUid }),
        cut: farms.flatMap(({ id, uid }) => (isCut.has(id) ? uid : [])),
        inBellAlone: alone.map(({ uid }) => uid),
      };
    },

    /** `mayClose`: the caller may close valves, and is given what that takes. */
    async get(farm: FarmRow, uid: string, now: Date, mayClose = false): Promise<IncidentDetails> {
      const { row, incident } = await one(farm, uid, now);
      const steps = await stepsOf(incidents, farm, row);
      return { ...incident, steps, ...(await incidents.sight(farm, row, mayClose, now)) };
    },

    /** The first who answers is on it; of what is over, or answered, one hears how it is. Throws conflict for what they have not seen. */
    async answer(farm: FarmRow, { uid, seen }: Answered, by: By, from = 'In the app.') {
      const { row } = await one(farm, uid, by.now);
      await incidents.inTransaction(async (trx) => {
        const now = await incidents.locked(trx, row);
        if (now.ended_at !== null || now.answered_by !== null) return;
        refuseUnseen(now, seen);
        await incidents.answer(trx, row, by.accountId, by.now);
        const until = new Date(answeredUntil(now.class, by.now.getTime()));
        await incidents.answerEpisodes(trx, farm.id, row.id, until, by.now);
        const name = (await incidents.find(farm.id, row.uid, trx))?.answered_name ?? 'Somebody';
        const who = { accountId: by.accountId, name, from };
        await tellPeople(trx, messages, farm, { ...row, what: 'answered', why: null, by: who }, by.now);
        await tellServers(trx, { kind: 'records-changed', farmId: farm.id, record: 'alert', page: by.page });
      });
      const { incident } = await one(farm, uid, by.now);
      const state = incident.endedAt === null ? ('answered' as const) : ('ended' as const);
      return { state, text: answerText(farm, incident, by.now), incident };
    },

    /** Nobody is told that it goes on; of what is over one hears that. Throws conflict as `answer` does. */
    async snooze(farm: FarmRow, { uid, seen }: Answered, time: SnoozeTime, by: By, from = '') {
      const { row } = await one(farm, uid, by.now);
      const until = snoozeUntil(farm, time, by.now.getTime());
      const clock = farmClock(toZone(farm), until, by.now.getTime());
      await incidents.inTransaction(async (trx) => {
        const now = await incidents.locked(trx, row);
        if (now.ended_at !== null) return;
        refuseUnseen(now, seen);
        await incidents.snooze(trx, row, by.accountId, new Date(until));
        const who = {
          accountId: by.accountId,
          name: '',
          from: `Nobody is told that it goes on until ${clock}. ${from}`.trim(),
        };
        const touched = { ...row, what: 'snoozed' as const, why: null, by: who, isQuiet: true };
        await tellPeople(trx, messages, farm, touched, by.now);
        await tellServers(trx, { kind: 'records-changed', farmId: farm.id, record: 'alert', page: by.page });
      });
      const { incident } = await one(farm, uid, by.now);
      const isOver = incident.endedAt !== null;
      const text = isOver ? answerText(farm, incident, by.now) : `Snoozed until ${clock}.`;
      return { state: isOver ? ('ended' as const) : ('snoozed' as const), text, incident };
    },
  };
}

const toOutage = ({ from, to }: Gap, farm: FarmRow, now: Date) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
  sentence: outageSentence({ from, to }, toZone(farm), now.getTime()),
});

/** None of a state that isn't asked for. */
async function pageOf(incidents: IncidentsRepo, farm: FarmRow, state: 'open' | 'ended', asked: Asked) {
  if (asked.before !== undefined && asked.state === undefined)
    throw invalid('state is missing: say with before whether open or ended is read on', 'state');
  if ((asked.state ?? state) !== state) return { rows: [], isCut: false };
  const behind =
    asked.before === undefined ? undefined : await incidents.find(farm.id, asked.before.toLowerCase());
  if (asked.before !== undefined && !behind) throw notFound();
  const limit = LISTED[state];
  const rows = await incidents.page(farm.id, state, behind, limit + 1);
  return { rows: rows.slice(0, limit), isCut: rows.length > limit };
}

/** Whoever is on a low tank has not said that they are on one that runs dry. */
function refuseUnseen({ class: of }: Standing, seen: SeenClass): void {
  if (seen === 'unsaid')
    throw conflict(
      'Headrace was updated since this page was opened. Please reload it, and answer again.',
      'class',
    );
  if (seen !== null && isWorse(of, seen))
    throw conflict(
      `It got worse meanwhile and is ${of} now. Please see how it is before you answer.`,
      'class',
    );
}

export type IncidentsService = ReturnType<typeof createIncidentsService>;

async function stepsOf(
  incidents: IncidentsRepo,
  farm: FarmRow,
  row: IncidentOfFarm,
): Promise<IncidentStep[]> {
  const steps = await incidents.steps(farm.id, row.id);
  const notices = await incidents.notices(
    farm.id,
    row.uid,
    steps.map(({ id }) => id),
  );
  return steps.map(({ id, at, what, note, by_name }) => ({
    at: new Date(at).toISOString(),
    what,
    by: by_name,
    note,
    told: notifiedPeople(notices.filter(({ step_id }) => step_id === id)),
  }));
}

function answerText(
  farm: FarmRow,
  { endedAt, isUnwatched, message, answeredBy, answeredAt }: Incident,
  now: Date,
): string {
  const clock = (at: string) => farmClock(toZone(farm), Date.parse(at), now.getTime());
  if (isUnwatched) return message;
  if (endedAt !== null) return `It ended by itself at ${clock(endedAt)}.`;
  return `${answeredBy ?? 'Somebody'} is on it${answeredAt ? ` (${clock(answeredAt)})` : ''}.`;
}

/** `deviceUid`: its device to be listed; all that fit unless said. */
function toIncident(
  farm: FarmRow,
  row: IncidentOfFarm,
  rows: Episodes,
  now: number,
  deviceUid?: string,
): Incident {
  const zone = toZone(farm);
  const alert = alertSubject(
    row.kind,
    row.condition === null ? undefined : { condition: row.condition, value: row.value },
  );
  const episodes = rows.map(alertEpisode);
  const open = episodes.filter(({ endedAt }) => endedAt === null);
  const told = open.length > 0 ? open : episodes;
  const end = row.ended_at === null ? null : endMessage(alert, episodes, zone, now);
  return {
    uid: row.uid,
    farmUID: farm.uid,
    alertUID: row.rule_uid,
    alertName: row.rule_name,
    kind: row.kind,
    class: row.class,
    title: alertTitle(farm.name, alert, told),
    message:
      endText(end, row, zone, now) ??
      [alertMessage(alert, told, zone, now), overText(told, zone, now)].filter(Boolean).join(' '),
    openedAt: new Date(row.opened_at).toISOString(),
    endedAt: isoOf(row.ended_at),
    isUnwatched: row.ended_at !== null && isUnwatched(episodes),
    seenLateAt: isoOf(row.seen_late_at),
    answeredBy: row.answered_name,
    answeredAt: isoOf(row.answered_at),
    ...snoozeOf(row, now),
    devices: listed(rows, deviceUid).flatMap((episode) =>
      episode.device_uid === null
        ? []
        : [
            {
              uid: episode.device_uid,
              name: episode.facts.name,
              since: new Date(episode.since).toISOString(),
              endedAt: isoOf(episode.ended_at),
              sentence: alertSentence(alert, alertEpisode(episode), zone, now),
            },
          ],
    ),
    ...wateringOf(told),
    count: new Set(rows.map(({ device_id }) => device_id)).size,
    version: row.version,
  };
}

/** Which watering it tells of: the newest where there are several. */
function wateringOf(episodes: readonly AlertEpisode[]): Pick<Incident, 'watering'> {
  const [newest] = episodes
    .flatMap(({ facts }) => facts.missedOf ?? [])
    .toSorted((one, other) => other.endAt - one.endAt);
  return newest ? { watering: { ...newest, endAt: new Date(newest.endAt).toISOString() } } : {};
}

function endText(end: string | null, row: IncidentOfFarm, zone: Timezone, now: number): string | null {
  if (end === null || row.seen_late_at === null) return end;
  const late = farmClock(zone, new Date(row.seen_late_at).getTime(), now);
  return `${end} Seen late, by ${late}: what says so was not there in time, and nobody was told.`;
}

/** Until when nobody is told that it goes on, and whose snooze that is, where no pause lasts longer. */
function snoozeOf(row: IncidentOfFarm, now: number): Pick<Incident, 'snoozedUntil' | 'snoozedBy'> {
  const until = row.snoozed_or_paused_until === null ? 0 : new Date(row.snoozed_or_paused_until).getTime();
  if (until <= now) return { snoozedUntil: null, snoozedBy: null };
  const isOwn = row.snoozed_until !== null && new Date(row.snoozed_until).getTime() === until;
  return { snoozedUntil: new Date(until).toISOString(), snoozedBy: isOwn ? row.snoozed_name : null };
}

/** Those of which it is so first. */
const listed = (rows: Episodes, deviceUid: string | undefined): Episodes =>
  rows
    .filter(({ device_uid: uid }) => uid !== null && (deviceUid === undefined || uid === deviceUid))
    .toSorted((one, other) => Number(one.ended_at !== null) - Number(other.ended_at !== null))
    .slice(0, ALERT_DEVICES_LISTED);

/** What did not go by a way that its person wants, and why. */
const held = (why: string | null) =>
  why === null ? [] : [{ way: why === LIMIT_BACK ? 'sms' : 'other ways', state: 'held', reason: why }];

const isoOf = (at: Date | string | null) => (at === null ? null : new Date(at).toISOString());

function notifiedPeople(notices: Awaited<ReturnType<IncidentsRepo['notices']>>): IncidentStep['told'] {
  const accounts = new Map(notices.map((notice) => [notice.account_id, notice]));
  return [...accounts].map(([accountId, { name, held_back }]) => ({
    name,
    messages: [
      ...notices
        .filter(({ account_id }) => account_id === accountId)
        .flatMap(({ way, state, error }) =>
          way === null || state === null ? [] : [{ way, state, reason: error ?? '' }],
        ),
      ...held(held_back),
    ],
  }));
}
