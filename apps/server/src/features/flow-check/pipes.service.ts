import type { ReplyOf } from '@headrace/contract/endpoint';
import type { Pipe, pipesOfSprinkler } from '@headrace/contract/flow';
import type { IpcStatus } from '@headrace/contract/groups';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { requireKind } from '../devices/device-entries.ts';
import type { SupplyService } from '../schedules/supply.service.ts';
import type { TemplatesService } from '../schedules/templates.service.ts';
import type { SprinklerStatusService } from '../sprinklers/sprinkler-status.service.ts';
import type { WateringsService } from '../waterings/waterings.service.ts';
import { openAmong } from './open-units.ts';

export interface PipesParts {
  readonly supply: Pick<SupplyService, 'of'>;
  readonly templates: Pick<TemplatesService, 'details'>;
  readonly sprinklers: Pick<SprinklerStatusService, 'units'>;
  readonly waterings: Pick<WateringsService, 'rates'>;
}

type Unit = Pick<IpcStatus, 'id' | 'groups' | 'belief'>;
/** A pipe, with who is on it. */
type Laid = Pick<Pipe, 'kind' | 'name' | 'maxLps'> & { readonly isOn: (unit: Unit) => boolean };

/** What else runs on the pipes of a sprinkler. */
export function createPipesService({ supply, templates, sprinklers, waterings }: PipesParts) {
  return {
    async of(farm: FarmRow, device: DeviceRow, at: Date): Promise<ReplyOf<typeof pipesOfSprinkler>> {
      requireKind(device, 'sprinkler');
      const [allowed, { groups }, units, rates] = await Promise.all([
        supply.of(farm),
        templates.details(farm),
        sprinklers.units(farm, at),
        waterings.rates(farm.id),
      ]);
      const own = units.find(({ id }) => id === device.uid);
      const others = units.filter((unit) => unit !== own);
      const lpsOf = ({ id }: Unit) => rates.get(id)?.lps ?? 0;
      const laid = own ? pipesOf(own, groups, { ...allowed, farmName: farm.name }) : [];
      return {
        lps: own ? lpsOf(own) : 0,
        pipes: laid.map((pipe) => withOpen(pipe, others, lpsOf, at.getTime())),
      };
    },
  };
}
export type PipesService = ReturnType<typeof createPipesService>;

type Groups = readonly { readonly uid: string; readonly name: string; readonly isLateral: boolean }[];
interface Allowed {
  readonly farmName: string;
  readonly maxLps: number | null;
  readonly mains: readonly {
    readonly name: string;
    readonly maxLps: number;
    readonly groups: readonly string[];
  }[];
}

/** The nearest first. */
function pipesOf(own: Unit, groups: Groups, { mains, maxLps, farmName }: Allowed): Laid[] {
  const isIn = (unit: Unit, names: ReadonlySet<string>) => unit.groups.some((name) => names.has(name));
  const lines = groups
    .filter(({ name, isLateral }) => isLateral && own.groups.includes(name))
    .map(
      ({ name }): Laid => ({ kind: 'line', name, maxLps: null, isOn: (unit) => unit.groups.includes(name) }),
    );
  const ofMains = mains.flatMap((main): Laid[] => {
    const names = new Set(groups.filter(({ uid }) => main.groups.includes(uid)).map(({ name }) => name));
    const isOn = (unit: Unit) => isIn(unit, names);
    return isOn(own) ? [{ kind: 'main', name: main.name, maxLps: main.maxLps, isOn }] : [];
  });
  return [...lines, ...ofMains, { kind: 'farm', name: farmName, maxLps, isOn: () => true }];
}

function withOpen(
  { isOn, ...pipe }: Laid,
  others: readonly Unit[],
  lpsOf: (unit: Unit) => number,
  now: number,
): Pipe {
  const { open, mayBe } = openAmong(others.filter(isOn), now);
  const lps = (some: readonly Unit[]) => toTenth(some.reduce((sum, unit) => sum + lpsOf(unit), 0));
  return {
    ...pipe,
    open: open.length,
    openLps: lps(open),
    mayBe: mayBe.length,
    mayBeLps: lps(mayBe),
    unset: [...open, ...mayBe].filter((unit) => lpsOf(unit) === 0).length,
  };
}

const toTenth = (lps: number) => Math.round(lps * 10) / 10;
