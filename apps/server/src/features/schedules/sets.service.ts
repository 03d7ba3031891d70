import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { SCHEDULE_SETS_PER_FARM } from '@headrace/contract/limits';
import type { createSet, deleteSet, getSet, listSets, SetSummary } from '@headrace/contract/schedule-sets';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import { conflict, notFound } from '../../http/errors.ts';
import { UNDO_DAYS } from '../changes/change-batch.ts';
import { type LoggedChange, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import { aloneWithSchedules } from './alone-with-schedules.ts';
import { deleteUndoably } from './delete-undoably.ts';
import { keptDesign, onFarm, refuseBlank } from './design-checks.ts';
import { revisionOf } from './farm-revision.ts';
import { checkSet } from './new-set.ts';
import { toSet } from './present-set.ts';
import { createScheduleSets } from './schedule-sets.ts';
import type { SchedulesRepo } from './schedules.repo.ts';
import { createSetSummaries } from './set-summaries.ts';
import { inUseText, readUsage, type SetUsage } from './set-usage.ts';
import type { SetsRepo } from './sets.repo.ts';
import type { SupplyService } from './supply.service.ts';
import type { TemplatesRepo } from './templates.repo.ts';
import type { TemplatesService } from './templates.service.ts';

interface Repos {
  readonly sets: SetsRepo;
  readonly schedules: SchedulesRepo;
  readonly templates: TemplatesRepo;
}

export function createSetsService(
  db: Db,
  { sets, schedules, templates }: Repos,
  { details }: Pick<TemplatesService, 'details'>,
  supplies: Pick<SupplyService, 'of'>,
) {
  const { summaries, summaryOf } = createSetSummaries(db, { sets, schedules });

  /** Throws conflict when the farm has as many as it can have; `instead`: one that leaves the list by this. */
  async function refuseFull(trx: Db, farm: FarmRow, instead: number | null = null): Promise<void> {
    const listed = (await sets.list(farm.id, trx)).filter(({ id }) => id !== instead);
    if (listed.length < SCHEDULE_SETS_PER_FARM) return;
    const usage = await readUsage(trx, farm.id);
    const unused = listed.findLast(({ id }) => inUseText(usage.get(id)) === null && !usage.get(id)?.isWanted);
    const which = unused ? `, such as ${unused.name}, the oldest that is not in use` : '';
    throw conflict(
      `The farm has ${SCHEDULE_SETS_PER_FARM} schedule sets, the most there can be. Please delete one first${which}.`,
    );
  }

  return {
    /** The current one first, then the newest. */
    async list(farm: FarmRow): Promise<ReplyOf<typeof listSets>> {
      const all = await summaries(farm, await sets.list(farm.id));
      return { sets: all.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent)) };
    },

    async get(farm: FarmRow, uid: string): Promise<ReplyOf<typeof getSet>> {
      const row = await sets.known(db, farm.id, uid.toLowerCase());
      if (!row || row.deletedAt) throw notFound('This farm has no such schedule set.');
      const [summary, units, groups] = await Promise.all([
        summaryOf(farm, row.uid, true),
        schedules.units(farm.id, [row.id]),
        templates.groups(farm.id),
      ]);
      const { schedules: turns } = await toSet(row, units, []);
      return { ...summary, design: row.design && onFarm(row.design, groups), schedules: turns };
    },

    /** Throws conflict where the farm or its template changed since it was computed, invalid where it can't be. */
    async create(farm: FarmRow, body: BodyOf<typeof createSet>, by: By): Promise<SetSummary> {
      refuseBlank(body.name);
      const [farmNow, units, supply] = await Promise.all([
        details(farm),
        sets.sprinklers(farm.id),
        supplies.of(farm),
      ]);
      const checked = await checkSet(body, farmNow, units, supply);
      if (body.farmRevision !== undefined && body.farmRevision !== revisionOf(farmNow, body.groups))
        throw conflict('The farm has changed since this was computed. Please compute again.', 'farmRevision');
      const uid = newUid(by.now);
      await aloneWithSchedules(db, farm.id, async (trx) => {
        const template = await templateOf(templates, trx, farm, body);
        const replaces = template && (await sets.newestOf(trx, farm.id, template.id));
        await refuseFull(trx, farm, replaces);
        const { figures, findings, isByHand, settings } = checked;
        await createScheduleSets(trx).store(farm.id, {
          uid,
          name: body.name,
          cycleMinutes: body.settings.cycleLen,
          units: checked.units,
          origin: {
            template,
            isByHand,
            figures,
            findings,
            replaces,
            design: keptDesign({ ...body, settings }, farmNow.groups),
            accountId: by.accountId,
            now: by.now,
          },
        });
        await logChanges(trx, [logged(farm, by, { uid, name: body.name }, 'created')], by.now);
      });
      return summaryOf(farm, uid);
    },

    /** Not while it is needed: then with the reason. It can be undone. */
    remove: (farm: FarmRow, uid: string, by: By): Promise<ReplyOf<typeof deleteSet>> =>
      aloneWithSchedules(db, farm.id, async (trx) => {
        const row = await sets.known(trx, farm.id, uid.toLowerCase());
        if (!row || row.deletedAt) throw notFound('This farm has no such schedule set.');
        await sets.lock(trx, farm.id, row.id);
        const usage: SetUsage | undefined = (await readUsage(trx, farm.id)).get(row.id);
        const reason = inUseText(usage);
        if (reason !== null) return { deleted: false, reason };
        return { deleted: true, batchId: await deleteUndoably(trx, farm.id, 'schedule set', row, by) };
      }),

    forget: (now: Date): Promise<void> => sets.forget(new Date(now.getTime() - UNDO_DAYS * 86_400_000)),
  };
}
export type SetsService = ReturnType<typeof createSetsService>;

/** Throws conflict where it was deleted meanwhile. */
async function templateOf(
  templates: TemplatesRepo,
  trx: Db,
  farm: FarmRow,
  { templateUID, templateVersion }: BodyOf<typeof createSet>,
) {
  if (templateUID === undefined) return null;
  const row = await templates.known(trx, farm.id, templateUID.toLowerCase());
  if (!row || row.deleted_at)
    throw conflict('Its template was deleted meanwhile. Please restore it or choose another.', 'templateUID');
  return { id: row.id, version: templateVersion ?? row.version };
}

function logged(
  farm: FarmRow,
  { accountId, page }: By,
  { uid, name }: { uid: string; name: string },
  what: LoggedChange['what'],
): LoggedChange {
  return { farmId: farm.id, accountId, kind: 'schedule set', uid, name, what, fields: [], page };
}
