import type { AlertSubject, AlertEpisode } from '@headrace/contract/rules/alerts/alert-texts';
import type { Selectable } from 'kysely';
import type { Db } from '../../db/client.ts';
import type { AlertTables } from '../../db/schema/alerts.ts';
import { snoozedOrPausedUntil } from './pauses.ts';
import type { EpisodeRow } from './watch.repo.ts';

export type IncidentRow = Selectable<AlertTables['alert_incident']>;

/** An incident as sentences about it are made. */
export interface IncidentSubject {
  readonly alert: AlertSubject;
  readonly episodes: readonly AlertEpisode[];
  /** Also of what was a moment: nobody can be on it. */
  readonly isOver: boolean;
  /** Until when nobody is told that it goes on, for a snooze or a pause. Epoch ms; null: it isn't. */
  readonly snoozedOrPausedUntil: number | null;
}

export async function readIncident(
  trx: Db,
  farmId: number,
  incidentId: string,
): Promise<IncidentSubject | undefined> {
  const incident = await trx
    .selectFrom('alert_incident as i')
    .select(['i.kind', 'i.rule_id', 'i.ended_at', snoozedOrPausedUntil.as('snoozed_or_paused_until')])
    .where('i.farm_id', '=', farmId)
    .where('i.id', '=', incidentId)
    .executeTakeFirst();
  if (!incident) return undefined;
  const rule = await trx
    .selectFrom('alert_rule')
    .select(['condition', 'value'])
    .where('farm_id', '=', farmId)
    .where('id', '=', incident.rule_id)
    .executeTakeFirst();
  const episodes = await trx
    .selectFrom('alert_episode')
    .select(['facts', 'since', 'value', 'peak', 'ended_at', 'clear_since'])
    .where('farm_id', '=', farmId)
    .where('incident_id', '=', incidentId)
    .orderBy('since')
    .orderBy('id')
    .execute();
  return {
    alert: alertSubject(incident.kind, rule),
    episodes: episodes.map(alertEpisode),
    isOver: incident.ended_at !== null,
    snoozedOrPausedUntil: timeOf(incident.snoozed_or_paused_until),
  };
}

export const alertSubject = (
  kind: IncidentRow['kind'],
  rule: { condition: string; value: number | null } | undefined,
): AlertSubject => ({ kind, condition: rule?.condition ?? '', limit: rule?.value ?? null });

export const alertEpisode = ({
  facts,
  since,
  value,
  peak,
  ended_at,
  clear_since,
}: Pick<EpisodeRow, 'facts' | 'since' | 'value' | 'peak' | 'ended_at' | 'clear_since'>): AlertEpisode => ({
  facts,
  since: new Date(since).getTime(),
  value,
  peak,
  endedAt: timeOf(ended_at),
  overSince: ended_at === null ? timeOf(clear_since) : null,
});

const timeOf = (at: Date | string | null) => (at === null ? null : new Date(at).getTime());
