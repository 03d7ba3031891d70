import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import { SCHEDULE_TEMPLATES_PER_FARM } from '@headrace/contract/limits';
import { hasRight, can } from '@headrace/contract/permissions';
import { inNaturalOrder } from '@headrace/contract/rules/natural-order';
import { clockText } from '@headrace/contract/rules/schedule/clock-text';
import { findingText } from '@headrace/contract/rules/schedule/finding-labels';
import { DAY_MINUTES } from '@headrace/contract/rules/schedule/plan';
import { planTemplate, schedulesOf } from '@headrace/contract/rules/schedule/template-plan';
import type {
  cloneTemplate,
  computeTemplate,
  createTemplate,
  deleteTemplate,
  ScheduleFarm,
  ScheduleTemplate,
  TemplateDesign,
  updateTemplate,
} from '@headrace/contract/schedule-templates';
import type { Db } from '../../db/client.ts';
import { newUid } from '../../db/ids.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { FarmAccess } from '../../http/access-gate.ts';
import { ApiFailure, conflict, invalid, notFound, stale } from '../../http/errors.ts';
import { UNDO_DAYS } from '../changes/change-batch.ts';
import { fieldChanges, isSame, type LoggedChange, logChanges } from '../changes/change-log.ts';
import type { By } from '../devices/record-change.ts';
import { toScheduleFarm, toTemplate } from './present-template.ts';
import { deleteUndoably } from './delete-undoably.ts';
import { keptDesign, onFarm, refuseBlank, refuseUnknown } from './design-checks.ts';
import { revisionOf } from './farm-revision.ts';
import { mainText } from './main-text.ts';
import type { GroupOfFarm, TemplateEntry, TemplateRow, TemplatesRepo } from './templates.repo.ts';

export function createTemplatesService(templates: TemplatesRepo) {
  async function detailsOf(farm: FarmRow): Promise<ScheduleFarm> {
    const [groups, units] = await Promise.all([templates.groups(farm.id), templates.units(farm.id)]);
    return toScheduleFarm(farm, groups, units);
  }

  async function refuseTakenName(trx: Db, farm: FarmRow, name: string, besides = ''): Promise<void> {
    if (await templates.hasName(trx, farm.id, name, besides))
      throw conflict(
        `The farm has a schedule template named ${name} already. Please choose another name.`,
        'name',
      );
  }

  /** Throws conflict when the name is in use or the farm has as many as it can have, invalid when it is blank. */
  async function add(trx: Db, farm: FarmRow, entry: TemplateEntry, by: By): Promise<TemplateRow> {
    refuseBlank(entry.name);
    await refuseFull(trx, farm);
    await refuseTakenName(trx, farm, entry.name);
    const row = await templates.insert(trx, farm.id, newUid(by.now), entry, by);
    await logChanges(trx, [logged(farm, by, row, 'created')], by.now);
    return row;
  }

  async function refuseFull(trx: Db, farm: FarmRow): Promise<void> {
    if ((await templates.count(trx, farm.id)) >= SCHEDULE_TEMPLATES_PER_FARM)
      throw conflict(
        `The farm has ${SCHEDULE_TEMPLATES_PER_FARM} schedule templates, the most there can be. Please delete one first.`,
      );
  }

  const find = async (farm: FarmRow, uid: string): Promise<TemplateRow> => {
    const row = await templates.find(farm.id, uid.toLowerCase());
    if (!row) throw notFound();
    return row;
  };

  /** In one transaction, alone with the farm's templates; throws notFound where it was deleted. */
  function change<T>(farm: FarmRow, uid: string, work: (trx: Db, row: TemplateRow) => Promise<T>) {
    return templates.inTransaction(farm.id, async (trx) => {
      const row = await templates.known(trx, farm.id, uid.toLowerCase());
      if (!row || row.deleted_at) throw notFound();
      return work(trx, row);
    });
  }

  return {
    details: detailsOf,

    /** The farm's groups, by name. */
    groups: async (farm: FarmRow): Promise<GroupOfFarm[]> => inNaturalOrder(await templates.groups(farm.id)),

    async list(farm: FarmRow): Promise<ScheduleTemplate[]> {
      const [rows, groups] = await Promise.all([templates.list(farm.id), templates.groups(farm.id)]);
      return inNaturalOrder(rows).map((row) => toTemplate(farm, row, groups));
    },

    get: async (farm: FarmRow, uid: string): Promise<ScheduleTemplate> =>
      toTemplate(farm, await find(farm, uid), await templates.groups(farm.id)),

    /** Throws invalid for a group that isn't the farm's. */
    async create(farm: FarmRow, body: BodyOf<typeof createTemplate>, by: By) {
      const groups = await templates.groups(farm.id);
      const entry = entered(body, groups);
      const row = await templates.inTransaction(farm.id, (trx) => add(trx, farm, entry, by));
      return toTemplate(farm, row, groups);
    },

    /** Throws conflict, with the template as it is, when somebody was quicker. A group that is gone may stay. */
    async update(farm: FarmRow, { _id, version, ...body }: BodyOf<typeof updateTemplate>, by: By) {
      const groups = await templates.groups(farm.id);
      return change(farm, _id, async (trx, row) => {
        if (version !== undefined && version !== row.version) throw stale(toTemplate(farm, row, groups));
        const entry = entered(body, groups, row.body);
        const fields = changesOf(row, entry, groups);
        if (!fields) return toTemplate(farm, row, groups);
        refuseBlank(entry.name);
        await refuseTakenName(trx, farm, entry.name, row.uid);
        const next = await templates.update(trx, farm.id, row, entry, by);
        await logChanges(trx, [{ ...logged(farm, by, next, 'changed'), fields }], by.now);
        return toTemplate(farm, next, groups);
      });
    },

    /** It can be undone. */
    remove: (farm: FarmRow, uid: string, by: By): Promise<ReplyOf<typeof deleteTemplate>> =>
      change(farm, uid, async (trx, row) => ({
        deleted: true,
        batchId: await deleteUndoably(trx, farm.id, 'schedule template', row, by),
      })),

    /** Throws invalid, with all that was found, where it can't be. */
    async compute(
      farm: FarmRow,
      body: BodyOf<typeof computeTemplate>,
    ): Promise<ReplyOf<typeof computeTemplate>> {
      const details = await detailsOf(farm);
      refuseUnknown(body, details.groups);
      const planned = planTemplate(details, body);
      const found = planned.ok ? planned.plan.findings : planned.findings;
      const findings = found.map((finding) => ({ ...finding, sentence: findingText(finding) }));
      if (!planned.ok) throw new ApiFailure('invalid', findings[0]?.sentence ?? '', 'groups', { findings });
      const { plan } = planned;
      const settings = { duration: body.settings.duration, cycleLen: plan.cycleMin };
      const farmRevision = revisionOf(details, body.groups);
      return { ...body, settings, schedules: schedulesOf(plan, details), findings, farmRevision };
    },

    /** `from`: the farm that the template is on, as the caller may use it; null is none. Throws invalid where no group is there too. */
    async clone(
      farm: FarmRow,
      from: FarmAccess | null,
      { templateUID, name }: BodyOf<typeof cloneTemplate>,
      by: By,
    ): Promise<ReplyOf<typeof cloneTemplate>> {
      if (!from || !hasRight(from.permissions, can('schedules', 'Read'))) throw notFound();
      const { body } = await find(from.farm, templateUID);
      const [theirs, own] = await Promise.all([templates.groups(from.farm.id), templates.groups(farm.id)]);
      const { groups, missing } = sameNamed(body.groups, theirs, own);
      if (groups.length === 0) throw invalid(noGroupText(farm.name, missing), 'farmUID');
      const entry = { name, body: { ...body, groups, limits: limitsThere(body, theirs, own) } };
      const row = await templates.inTransaction(farm.id, (trx) => add(trx, farm, entry, by));
      return { templateUID: row.uid, missing };
    },

    forget: (now: Date): Promise<void> => templates.forget(new Date(now.getTime() - UNDO_DAYS * 86_400_000)),
  };
}
export type TemplatesService = ReturnType<typeof createTemplatesService>;

const entered = (
  { name, ...design }: TemplateDesign,
  groups: readonly GroupOfFarm[],
  before: TemplateEntry['body'] | null = null,
): TemplateEntry => ({ name, body: keptDesign(design, groups, before) });

type KeptGroups = TemplateEntry['body']['groups'];

/** The farm's own groups in place of another's, by name; names of those that it doesn't have. */
function sameNamed(
  groups: KeptGroups,
  theirs: readonly GroupOfFarm[],
  own: readonly GroupOfFarm[],
): { groups: KeptGroups; missing: string[] } {
  const nowNamed = new Map(theirs.map(({ uid, name }) => [uid, name]));
  const byName = new Map(own.map((group) => [group.name.toLowerCase(), group]));
  const sought = groups.map((group) => ({ ...group, name: nowNamed.get(group.uid) ?? group.name }));
  const found = sought.flatMap((group) => {
    const match = byName.get(group.name.toLowerCase());
    return match ? [{ ...group, uid: match.uid, name: match.name }] : [];
  });
  const missing = sought.map(({ name }) => name).filter((name) => !byName.has(name.toLowerCase()));
  return { groups: found, missing };
}

/** With the farm's own groups on its mains, by name. */
function limitsThere(
  { limits }: TemplateEntry['body'],
  theirs: readonly GroupOfFarm[],
  own: readonly GroupOfFarm[],
): TemplateEntry['body']['limits'] {
  if (!limits?.mains) return limits;
  const nameOf = new Map(theirs.map(({ uid, name }) => [uid, name.toLowerCase()]));
  const uidOf = new Map(own.map(({ uid, name }) => [name.toLowerCase(), uid]));
  const mains = limits.mains.map((main) => ({
    ...main,
    groups: main.groups.flatMap((uid) => uidOf.get(nameOf.get(uid) ?? '') ?? []),
  }));
  return { ...limits, mains };
}

const noGroupText = (farm: string, missing: readonly string[]) =>
  `${farm} has no group with a name of this template's groups (${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ', …' : ''}). Please add one first.`;

/** As the history shows them: what it doesn't show is a change too. null: nothing is changed. */
function changesOf({ name, body }: TemplateRow, entry: TemplateEntry, groups: readonly GroupOfFarm[]) {
  const before = { name, body: onFarm(body, groups) };
  const after = { name: entry.name, body: onFarm(entry.body, groups) };
  if (isSame(before, after)) return null;
  return fieldChanges(loggedTemplate(before, groups), loggedTemplate(after, groups));
}

/** As the history shows it. */
function loggedTemplate(
  { name, body: { groups, settings, limits, windy, leveling, startMin } }: TemplateEntry,
  ofFarm: readonly GroupOfFarm[],
) {
  const nameOf = new Map(ofFarm.map(({ uid, name: group }) => [uid, group]));
  return {
    name,
    groups: groups.map(groupText),
    duration: settings.duration,
    rounds: roundsText(settings.cycleLen),
    windy,
    leveling,
    start: clockText(startMin),
    maxLps: limits?.maxLps ?? null,
    windows: limits?.windows.map(windowText) ?? [],
    avoid: limits?.avoid.map(windowText) ?? [],
    mains: limits?.mains?.map((main) => mainText(main, nameOf)) ?? [],
  };
}

function groupText({ name, lines = 1, duration }: TemplateEntry['body']['groups'][number]): string {
  const own = [...(lines > 1 ? [`${lines} lines`] : []), ...(duration ? [`${duration} min`] : [])];
  return own.length > 0 ? `${name} (${own.join(', ')})` : name;
}

function roundsText(cycleLen = DAY_MINUTES): string | null {
  if (cycleLen === DAY_MINUTES) return null;
  return cycleLen < DAY_MINUTES ? `each ${cycleLen} min` : `each ${cycleLen / DAY_MINUTES} days`;
}

const windowText = ({ fromMin, toMin }: { fromMin: number; toMin: number }) =>
  `${clockText(fromMin)}–${clockText(toMin)}`;

function logged(
  farm: FarmRow,
  { accountId, page }: By,
  { uid, name }: { uid: string; name: string },
  what: LoggedChange['what'],
): LoggedChange {
  return { farmId: farm.id, accountId, kind: 'schedule template', uid, name, what, fields: [], page };
}
