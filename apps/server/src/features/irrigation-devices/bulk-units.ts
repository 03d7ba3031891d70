import type { BodyOf, ReplyOf } from '@headrace/contract/endpoint';
import type { addIpcs, bulkEditIpcs, checkIpcs, deleteIpcs } from '@headrace/contract/irrigation-devices';
import { validateDevice } from '@headrace/contract/rules/device-form';
import { validateFarPlace, farFrom, farPlacesQuestion } from '@headrace/contract/rules/far-place';
import { normaliseMac } from '@headrace/device/topics';
import type { Db } from '../../db/client.ts';
import type { FarmRow } from '../../db/schema.ts';
import { invalid, notFound } from '../../http/errors.ts';
import { gatewayOf, given } from '../devices/device-entries.ts';
import { addFreeRecords } from '../devices/add-records.ts';
import { changeRecords } from '../devices/change-records.ts';
import type { DeviceRecords } from '../devices/device-records.ts';
import type { By } from '../devices/record-change.ts';
import { removeRecords } from '../devices/remove-records.ts';
import { placeIn, placesOfGateways } from '../devices/far-places.ts';
import { lastRadio } from '../devices/farm-radio.ts';
import type { RegistryService } from '../registry/registry.service.ts';
import { rowFaults, type RowFault } from './row-faults.ts';
import { newRecord, type UnitEntry } from './unit-entries.ts';
import type { UnitsRepo } from './units.repo.ts';

/** Many sprinklers at once: each call does all or nothing, in one transaction. */
export function createBulkUnits(
  db: Db,
  sprinklers: UnitsRepo,
  records: DeviceRecords,
  registry: Pick<RegistryService, 'unitMacs'>,
) {
  /** Throws notFound when one of them isn't a sprinkler of the farm. */
  async function chosen(trx: Db, farmId: number, deviceIds: readonly string[]) {
    const uids = [...new Set(deviceIds.map((uid) => uid.toLowerCase()))];
    const devices = await sprinklers.ids(trx, farmId, uids);
    if (devices.length < uids.length)
      throw notFound(
        `${uids.length - devices.length} of the ${uids.length} sprinklers are not on this farm. Please choose again.`,
      );
    return devices;
  }

  return {
    /** What the register and the farm know of the rows; what `add` would refuse of them, as far as others are concerned. */
    async check(
      { id: farmId }: FarmRow,
      { units }: BodyOf<typeof checkIpcs>,
    ): Promise<ReplyOf<typeof checkIpcs>> {
      const known = await registry.unitMacs(
        farmId,
        units.map(({ serialNumber }) => serialNumber.trim()),
      );
      const found = units.map(({ serialNumber, macAddress }) => ({
        serialNumber,
        macAddress: macAddress.trim() || (known.get(serialNumber.trim().toLowerCase()) ?? ''),
      }));
      const faults = await db.transaction().execute((trx) => rowFaults(trx, farmId, found));
      const textOf = (row: number, field: RowFault['field']) =>
        faults.find((fault) => fault.row === row && fault.field === field)?.text ?? null;
      return {
        units: found.map(({ macAddress }, row) => ({
          macAddress: normaliseMac(macAddress) ?? macAddress,
          serialNumberFault: textOf(row, 'serialNumber'),
          macAddressFault: textOf(row, 'macAddress'),
        })),
      };
    },

    /** Throws invalid with the first row that can't be added, and how many more there are. */
    async add(farm: FarmRow, body: BodyOf<typeof addIpcs>, by: By): Promise<ReplyOf<typeof addIpcs>> {
      const { id: farmId } = farm;
      const { units } = body;
      refuse(formFaults(units));
      refuse(impossiblePlaces(farm, units));
      const what = { act: 'bulk add', title: `${countText(units.length)} added at once` } as const;
      const { result, batchId } = await records.undoable(farmId, by, what, async (trx, batched) => {
        refuse(await rowFaults(trx, farmId, units));
        if (!body.confirmFar) await askOfFar(trx, farm, units);
        const radio = await lastRadio(trx, farmId);
        const gateways = await gatewaysOf(trx, farmId, units);
        const members = units.map((unit) => ({
          record: newRecord(unit, radio, gateways.get(unit.gatewayUID) ?? {}, by.now),
          groups: unit.groups ?? [],
        }));
        const added = await addFreeRecords(trx, farmId, members, batched);
        return { ids: added.map(({ uid }) => uid) };
      });
      return { ...result, batchId };
    },

    async change(
      farmId: number,
      body: BodyOf<typeof bulkEditIpcs>,
      by: By,
    ): Promise<ReplyOf<typeof bulkEditIpcs>> {
      const { groups, gatewayUID, ...settings } = body.changes;
      const what = {
        act: 'bulk edit',
        title: `${countText(body.deviceIds.length)} changed at once`,
      } as const;
      const { result, batchId } = await records.undoable(farmId, by, what, async (trx, batched) => {
        const devices = await chosen(trx, farmId, body.deviceIds);
        const gateway = await gatewayOf(trx, farmId, gatewayUID);
        const change = { ...gateway, settings: given(settings), groups };
        const isBack = settings.isSpareUnit === false;
        // One taken into service is no longer out of it, unless it is a placeholder.
        const ready = isBack
          ? devices.filter(({ settings: { isPlaceholder } }) => isPlaceholder !== true)
          : [];
        const others = devices.filter((device) => !ready.includes(device));
        const inService = { ...change, settings: { ...change.settings, outOfService: false } };
        if (ready.length > 0) await changeRecords(trx, farmId, ready, inService, batched);
        if (others.length > 0) await changeRecords(trx, farmId, others, change, batched);
        return devices.length;
      });
      return { updated: result, batchId };
    },

    async remove(
      farmId: number,
      body: BodyOf<typeof deleteIpcs>,
      by: By,
    ): Promise<ReplyOf<typeof deleteIpcs>> {
      const what = {
        act: 'delete sprinkler',
        title: `${countText(body.deviceIds.length)} deleted at once`,
      } as const;
      const { result, batchId } = await records.undoable(farmId, by, what, async (trx, batched) => {
        const devices = await chosen(trx, farmId, body.deviceIds);
        const { length } = devices;
        await records.backUpBefore(trx, farmId, `${countText(length)} were deleted`, length, batched);
        await removeRecords(trx, farmId, devices, batched);
        return devices.length;
      });
      return { deleted: result, batchId };
    },
  };
}
export type BulkUnits = ReturnType<typeof createBulkUnits>;

const countText = (n: number) => `${n} ${n === 1 ? 'sprinkler' : 'sprinklers'}`;

const formFaults = (units: readonly UnitEntry[]): RowFault[] =>
  units.flatMap((unit, row) =>
    Object.entries(validateDevice('sprinkler', unit)).map(([field, text]) => ({ row, field, text })),
  );

const impossiblePlaces = (farm: FarmRow, units: readonly UnitEntry[]): RowFault[] =>
  units.flatMap((unit, row) => {
    const place = placeIn(unit);
    const text = place && validateFarPlace(place, farm);
    return text === null ? [] : [{ row, field: 'lat', text }];
  });

/** Throws invalid with the question whether places that are hardly meant are. */
async function askOfFar(trx: Db, farm: FarmRow, units: readonly UnitEntry[]): Promise<void> {
  const gateways = new Map((await placesOfGateways(trx, farm.id)).map((gateway) => [gateway.uid, gateway]));
  const far = units.flatMap((unit) => {
    const place = placeIn(unit);
    const gateway = gateways.get(unit.gatewayUID?.toLowerCase() ?? '');
    const from = place && farFrom(place, farm, gateway ?? null);
    return from === null ? [] : [{ name: unit.name.trim(), from }];
  });
  const question = farPlacesQuestion(far);
  if (question !== null) throw invalid(question, 'confirmFar');
}

/** People count rows from 1. */
function refuse(faults: readonly RowFault[]): void {
  const [first] = faults;
  if (!first) return;
  const more = new Set(faults.map(({ row }) => row)).size - 1;
  const others =
    more === 0 ? '' : more === 1 ? ' 1 more row needs a change.' : ` ${more} more rows need a change.`;
  throw invalid(
    `Row ${first.row + 1}: ${first.text}${others} Nothing was added.`,
    `units.${first.row}.${first.field}`,
  );
}

async function gatewaysOf(trx: Db, farmId: number, units: readonly UnitEntry[]) {
  const found = new Map<UnitEntry['gatewayUID'], { gateway_id?: number | null }>();
  for (const { gatewayUID } of units)
    if (!found.has(gatewayUID)) found.set(gatewayUID, await gatewayOf(trx, farmId, gatewayUID));
  return found;
}
