import type { ReplyOf } from '@headrace/contract/endpoint';
import { gatewayTypes } from '@headrace/contract/gateway-types';
import { can, hasRight } from '@headrace/contract/permissions';
import type { macOfGateway, macTest } from '@headrace/contract/registry';
import { sensorTypes } from '@headrace/contract/sensor-types';
import type { DeviceKind } from '../../db/schema.ts';
import { invalid } from '../../http/errors.ts';
import type { Caller } from '../../http/access-gate.ts';
import type { AccessService } from '../access/access.service.ts';
import { readResource } from '../access/read-resource.ts';
import type { RegistryEntry, RegistryKind, RegistryQuery, RegistryRepo } from './registry.repo.ts';

/** From how many characters on a part of a serial number is looked up. spec 1 §5 */
const PART_MIN = { unit: 4, other: 3 } as const;
/** spec 1 §3: the other numbering of sensors, of which one is a type. */
const deviceFamilies: Readonly<Record<string, number>> = { TLM_V3: 61 };
const NO_FAMILY = ['', '0', 'NONE'];

type Use = Omit<ReplyOf<typeof macOfGateway>, 'channel' | 'spfactor'>;
const noUse: Use = { mac: '', currentlyActive: false, isSpare: false, name: '', farmName: '', farmUID: '' };
const noRadio = { channel: 1, spfactor: 10 };

/** Who asks, when. */
interface Asker {
  readonly caller: Caller;
  readonly now: Date;
}

const askingOf = ({ caller, now }: Asker) => ({ accountId: caller.accountId, now });

export function createRegistryService(registry: RegistryRepo, access: AccessService) {
  /** A whole serial number, or the part of one that only one has. */
  async function find(query: RegistryQuery, partMin: number): Promise<RegistryEntry | undefined> {
    const serialNumber = query.serialNumber.trim();
    const exact = await registry.exact({ ...query, serialNumber });
    if (exact || serialNumber.length < partMin) return exact;
    const [only, ...others] = await registry.beginning({ ...query, serialNumber });
    return others.length === 0 ? only : undefined;
  }

  /** That it is in use is told to everybody, where and as what only to those who may read it there. */
  async function useOf(entry: RegistryEntry, kinds: readonly DeviceKind[], asker: Asker): Promise<Use> {
    const holder = await registry.holder(entry.mac, kinds);
    if (!holder) return { ...noUse, mac: entry.mac };
    const { settings } = holder;
    const isSpare = settings['isSpareUnit'] === true;
    const use = {
      ...noUse,
      mac: entry.mac,
      currentlyActive: !isSpare && settings['outOfService'] !== true,
      isSpare,
    };
    const grant = await access.farmByUid(asker.caller, holder.farm_uid, asker.now);
    if (!grant || !hasRight(grant.permissions, can(readResource[holder.kind], 'Read'))) return use;
    return { ...use, name: holder.name, farmName: grant.farm.name, farmUID: grant.farm.uid };
  }

  const findUnit = (serialNumber: string, asker: Asker) =>
    find({ serialNumber, kinds: ['ipc', 'repeater'], ...askingOf(asker) }, PART_MIN.unit);

  async function withRadio(query: RegistryQuery, kind: 'gateway' | 'sensor', asker: Asker) {
    const entry = await find(query, PART_MIN.other);
    if (!entry) return { ...noUse, ...noRadio };
    const { channel, spfactor } = entry;
    return { ...(await useOf(entry, [kind], asker)), channel, spfactor };
  }

  return {
    async mac(serialNumber: string, asker: Asker): Promise<{ mac: string }> {
      return { mac: (await findUnit(serialNumber, asker))?.mac ?? '' };
    },

    /** By whole serial numbers in lower case; what isn't in the register is left out. */
    unitMacs: (farmId: number, serials: readonly string[]): Promise<ReadonlyMap<string, string>> =>
      registry.unitMacs(farmId, serials),

    /** A serial number that is there as a spare only is not in use. */
    async unitInUse(serialNumber: string, asker: Asker): Promise<Use> {
      const entry = await findUnit(serialNumber, asker);
      return entry ? useOf(entry, ['sprinkler', 'repeater'], asker) : noUse;
    },

    gateway(serialNumber: string, type: string, asker: Asker) {
      const query = {
        serialNumber,
        kinds: ['gateway'] as RegistryKind[],
        ...typeOf(type, gatewayTypes),
        ...askingOf(asker),
      };
      return withRadio(query, 'gateway', asker);
    },

    /** `type` is a device family or a sensor type. */
    sensor(serialNumber: string, type: string, asker: Asker) {
      const family = Object.entries(deviceFamilies).find(([, number]) => String(number) === type)?.[0];
      const wanted = NO_FAMILY.includes(type.toUpperCase()) ? '' : (family ?? type);
      const query = {
        serialNumber,
        kinds: ['sensor'] as RegistryKind[],
        ...typeOf(wanted, sensorTypes),
        ...askingOf(asker),
      };
      return withRadio(query, 'sensor', asker);
    },

    /** For everybody: whole serial numbers only, so that nobody can list what there is by its beginning. */
    async test(given: string, now: Date): Promise<ReplyOf<typeof macTest>> {
      const kinds: RegistryKind[] = ['ipc', 'repeater', 'gateway', 'sensor'];
      const entry = await registry.exact({ serialNumber: given.trim(), kinds, accountId: null, now });
      if (!entry) return { serialNumber: given.trim(), mac: '', kind: '', found: false };
      const { serial_number: serialNumber, mac, kind } = entry;
      return { serialNumber, mac, kind, found: true };
    },
  };
}
export type RegistryService = ReturnType<typeof createRegistryService>;

/** By number or name; all of them for ''. Throws invalid with those there are. */
function typeOf(given: string, types: Readonly<Record<string, number>>): { type?: number } {
  if (given === '') return {};
  const found = Object.entries(types).find(
    ([name, number]) => name === given.toUpperCase() || String(number) === given,
  );
  if (!found) throw invalid(`type must be one of ${Object.keys(types).join(', ')}.`, 'type');
  return { type: found[1] };
}
