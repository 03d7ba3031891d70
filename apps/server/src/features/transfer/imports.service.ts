import { BACKUP_DESCRIPTION_MAX } from '@headrace/contract/limits';
import type { BodyOf } from '@headrace/contract/endpoint';
import type { applyImport, ImportDone, ImportPlan, planImport } from '@headrace/contract/imports';
import { normaliseMac } from '@headrace/device/topics';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import type { FarmAccess } from '../../http/access-gate.ts';
import { ApiFailure, conflict, invalid } from '../../http/errors.ts';
import { commandsOnTheWay } from '../commands/on-the-way.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import { FIRST_RADIO } from '../devices/farm-radio.ts';
import { type By, StaleRecord } from '../devices/record-change.ts';
import { serialHolders } from '../devices/serial-numbers.ts';
import { macHolders } from '../devices/taken-macs.ts';
import { lockGroups } from '../groups/add-groups.ts';
import type { RegistryService } from '../registry/registry.service.ts';
import { type FarmForSets, farmForSets } from '../schedules/file-sets.ts';
import { applyPlaces } from './apply-places.ts';
import { applyRows } from './apply-rows.ts';
import { type Chosen, chosenOf } from './choose-rows.ts';
import type { BackupStore } from './backups/backup-store.ts';
import type { FarmContentRepo } from './farm-content.repo.ts';
import { planDigest } from './plan-digest.ts';
import { planFarm, planGroups } from './plan-farm.ts';
import { judgeNewGroups, newGroups } from './plan-groups.ts';
import { planImport as planRows, type PlanRow } from './plan-import.ts';
import { oneOfEach } from './one-of-each.ts';
import { deedsOf, type PlanItem, unitItem } from './plan-items.ts';
import { planPlaces } from './plan-places.ts';
import { planSets } from './plan-sets.ts';
import type { FileContent } from './reading/file-content.ts';
import { createFileReader } from './reading/file-reader.ts';
import { resMessage } from './res-message.ts';

type Asked = BodyOf<typeof planImport>;

interface Planned {
  readonly revision: string;
  /** null: the file has no schedules. */
  readonly ofSets: FarmForSets | null;
  readonly items: readonly PlanItem[];
  readonly notes: readonly string[];
  /** Names, by themselves in small letters. */
  readonly groups: ReadonlyMap<string, { readonly uid: string; readonly name: string }>;
  /** That the farm doesn't have, sorted. */
  readonly newGroups: readonly string[];
}

const optionsOf = ({ typeFile, options }: Asked) => ({
  replaceIpcs: options?.replaceIpcs === true,
  asSpares: typeFile === 'sparelist' || options?.importAsSpares === true,
  farmId: options?.farmId,
  channel: options?.channel,
});

/**
 * Files that change a farm. A plan is not kept: whoever applies it sends the file again with the farm's revision, so that the same file
 * and the same farm give the same plan, on whichever server and after a restart.
 */
export function createImportsService(
  farmContent: FarmContentRepo,
  records: DeviceRecords,
  registry: Pick<RegistryService, 'unitMacs'>,
  backups: Pick<BackupStore, 'write'>,
) {
  const readFile = createFileReader();

  /** Throws invalid where it can't be read. */
  async function readContent(
    { typeFile, data }: Asked,
    { lat, lng }: FarmRow,
    accountId: number,
  ): Promise<FileContent> {
    const outcome = await readFile({ typeFile, data, farm: { lat, lng } }, accountId);
    if (outcome.kind === 'fault') {
      const { fault, suggested } = outcome;
      throw new ApiFailure('invalid', fault, 'data', suggested && { typeFile: suggested });
    }
    return outcome.content;
  }

  /** What it finds stays true to the end of the transaction. */
  async function planIn(
    trx: Db,
    { farm, permissions }: FarmAccess,
    content: FileContent,
    asked: Asked,
  ): Promise<Planned> {
    const { units, notes } = content;
    if (asked.options?.replaceIpcs === true && asked.typeFile !== 'ims')
      throw invalid('Replace IPCs is possible with site.json alone.', 'options');
    const known = await registry.unitMacs(
      farm.id,
      units.flatMap(({ serialNumber }) => serialNumber ?? []),
    );
    const macs = [...units.map(({ macAddress }) => macAddress ?? ''), ...known.values()];
    const holders = await macHolders(trx, [...new Set(macs.flatMap((mac) => normaliseMac(mac) ?? []))]);
    // For its lock: who holds which is seen from the devices.
    await serialHolders(trx, farm.id, [{ id: 0, kind: 'sprinkler', serial_number: 'any', settings: {} }]);
    await lockGroups(trx, farm.id);
    const changes = await farmContent.revision(farm.id, trx);
    const devices = await farmContent.devices(farm.id, trx);
    const groups = await farmContent.groups(farm.id, trx);
    const byName = new Map(groups.map((group) => [group.name.toLowerCase(), group]));
    const rows = await planRows(
      units,
      {
        land: farm,
        devices,
        groups: byName,
        takenMacs: new Set(holders.flatMap(({ mac, farm_id }) => (farm_id === farm.id ? [] : mac))),
        knownMacs: known,
        onTheWay: units.length > 0 ? await commandsOnTheWay(trx, farm.id) : new Map(),
        radio: FIRST_RADIO,
      },
      optionsOf(asked),
      permissions,
    );
    const added = newGroups(rows, byName);
    const named = planGroups(content.groups, byName, added, permissions);
    const tooMany = judgeNewGroups([...added, ...deedsOf(named, 'add group').map(({ name }) => name)]);
    if (tooMany !== null) throw invalid(tooMany, 'data');
    const places = await planPlaces(content, { land: farm, devices }, permissions);
    const ofSets = content.sets.length > 0 ? await farmForSets(trx, farm) : null;
    const sets = ofSets ? await planSets(content.sets, ofSets, permissions, serialsComing(rows)) : [];
    const ofFarm = planFarm(content.farms, farm, permissions);
    const items = oneOfEach([...rows.map(unitItem), ...named, ...ofFarm, ...places, ...sets]);
    const revision = `${changes}-${await planDigest(items)}`;
    return { revision, ofSets, items, notes, groups: byName, newGroups: added.toSorted() };
  }

  async function apply(
    access: FarmAccess,
    asked: Asked,
    choose: (planned: Planned) => Chosen,
    by: By,
  ): Promise<ImportDone> {
    const { farm, farmId } = access;
    const content = await readContent(asked, farm, by.accountId);
    const what = { act: 'import', title: `${asked.filename} imported` } as const;
    const { result, batchId } = await records.undoable(farmId, by, what, async (trx, batched) => {
      const planned = await planIn(trx, access, content, asked);
      const chosen = choose(planned);
      const description = `Before import of ${asked.filename}`.slice(0, BACKUP_DESCRIPTION_MAX);
      if (chosen.size > 0) await backups.write(trx, farmId, { description, cause: 'before' }, by);
      const items = [...chosen].map(([item, deed]) => ({ ...item, deed }));
      await applyRows(trx, farmId, items, planned.groups, batched);
      await applyPlaces(trx, farm, items, batched);
      for (const { set } of deedsOf(items, 'set')) await planned.ofSets?.store(set, batched);
      return resMessage(planned.items, chosen);
    });
    return { result: true, msg: { res_message: result }, batchId };
  }

  return {
    async plan(access: FarmAccess, asked: Asked, accountId: number): Promise<ImportPlan> {
      const content = await readContent(asked, access.farm, accountId);
      return toPlan(await records.looking((trx) => planIn(trx, access, content, asked)));
    },

    /** Throws conflict with the new plan where the farm is not as it was planned for. */
    async apply(access: FarmAccess, asked: BodyOf<typeof applyImport>, by: By): Promise<ImportDone> {
      const done = apply(
        access,
        asked,
        (planned) => {
          if (planned.revision !== asked.revision) throw movedOn(toPlan(planned));
          return chosenOf(planned.items, asked);
        },
        by,
      );
      return done.catch(async (error: unknown) => {
        throw error instanceof StaleRecord ? movedOn(await this.plan(access, asked, by.accountId)) : error;
      });
    },

    /** Plans and applies in one, for programs. */
    async file(access: FarmAccess, asked: Asked, by: By): Promise<ImportDone> {
      const all = ({ items }: Planned) => chosenOf(items, {});
      return apply(access, asked, all, by).catch((error: unknown) => {
        if (error instanceof StaleRecord)
          throw conflict('The farm was changed meanwhile. Please send the file again.');
        if (!(error instanceof ApiFailure) || error.field !== 'data') throw error;
        const text = `File ${asked.filename} was not uploaded. ${error.message}`;
        return { result: false, msg: { res_message: text }, batchId: null };
      });
    },
  };
}
export type ImportsService = ReturnType<typeof createImportsService>;

/** Of sprinklers that are added, and of those that take the place of others. */
const serialsComing = (rows: readonly PlanRow[]): Set<string> =>
  new Set(
    rows.flatMap(({ fields, values }) =>
      values && fields.some(({ field }) => field === 'serialNumber') ? values.serialNumber.toLowerCase() : [],
    ),
  );

const movedOn = (plan: ImportPlan) =>
  new ApiFailure(
    'conflict',
    'The farm was changed since you looked. Please look at what the file would do now.',
    'revision',
    plan,
  );

function toPlan({ revision, items, notes, newGroups: added }: Planned): ImportPlan {
  const counts = { add: 0, change: 0, choose: 0, same: 0, 'left out': 0 };
  for (const { row } of items) counts[row.action] += 1;
  return {
    revision,
    notes: [...notes],
    newGroups: [...added],
    counts,
    rows: items.flatMap(({ row }, index) => (row.action === 'same' ? [] : [{ row: index, ...drawn(row) }])),
  };
}

/** What is left out is not drawn: its outline isn't sent. */
function drawn(row: PlanItem['row']): PlanItem['row'] {
  if (row.action !== 'left out') return row;
  const { ring: _ring, ...rest } = row;
  return rest;
}
