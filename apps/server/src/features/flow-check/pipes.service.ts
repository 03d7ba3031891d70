import { BEGIN_WITHIN_MIN } from '@headrace/device/command-life';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { Pipe, pipesOfSprinkler } from '@headrace/contract/flow';
import type { IpcStatus } from '@headrace/contract/groups';
import type { DeviceRow, FarmRow } from '../../db/schema.ts';
import { requireKind } from '../devices/device-entries.ts';
import type { SupplyService } from '../schedules/supply.service.ts';
import type { TemplatesService } from '../schedules/templates.service.ts';
import type { AheadUnit } from '../timeline/ahead.ts';
import type { TimelineService } from '../timeline/timeline.service.ts';
import type { SprinklerStatusService } from '../sprinklers/sprinkler-status.service.ts';
import type { WateringsService } from '../waterings/waterings.service.ts';
import { openAmong } from './open-units.ts';
import { type Giving, peakOf } from './planned-peak.ts';

export interface PipesParts {
  readonly supply: Pick<SupplyService, 'of'>;
  readonly templates: Pick<TemplatesService, 'groups'>;
  readonly sprinklers: Pick<SprinklerStatusService, 'units'>;
  readonly waterings: Pick<WateringsService, 'rates'>;
  readonly timeline: Pick<TimelineService, 'ahead'>;
}

type Grouped = { readonly groups: readonly string[] };
type Unit = Pick<IpcStatus, 'id' | 'groups' | 'belief'>;
/** A pipe, with who is on it. */
type Laid = Pick<Pipe, 'kind' | 'name' | 'maxLps'> & { readonly isOn: (unit: Grouped) => boolean };

const MINUTE = 60_000;

/** What else runs on the pipes of a sprinkler, and is to run while it is open. */
export function createPipesService({ supply, templates, sprinklers, waterings, timeline }: PipesParts) {
  return {
    async of(
      farm: FarmRow,
      device: DeviceRow,
      minutes: number,
      at: Date,
    ): Promise<ReplyOf<typeof pipesOfSprinkler>> {
      requireKind(device, 'sprinkler');
      const until = new Date(at.getTime() + (BEGIN_WITHIN_MIN + minutes) * MINUTE);
      const [allowed, groups, units, rates, ahead] = await Promise.all([
        supply.of(farm),
        templates.groups(farm),
        sprinklers.units(farm, at),
        waterings.rates(farm.id),
        timeline.ahead(farm, until, at),
      ]);
      const own = units.find(({ id }) => id === device.uid);
      const others = units.filter((unit) => unit !== own);
      const lpsOf = ({ id }: Unit) => rates.get(id)?.lps ?? 0;
      const othersAhead = ahead.filter(({ uid }) => uid !== own?.id);
      const laid = own ? pipesOf(own, groups, { ...allowed, farmName: farm.name }) : [];
      return {
        lps: own ? lpsOf(own) : 0,
        until: until.toISOString(),
        pipes: laid.map((pipe) => ({
          ...withOpen(pipe, others, lpsOf, at.getTime()),
          planned: plannedOn(pipe, others, othersAhead, { lpsOf, now: at.getTime() }),
        })),
      };
    },
  };
}
export type PipesService = ReturnType<typeof createPipesService>;

type Groups = Awaited<ReturnType<PipesParts['templates']['groups']>>;
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
  const isIn = (unit: Grouped, names: ReadonlySet<string>) => unit.groups.some((name) => names.has(name));
  const lines = groups
    .filter(({ name, is_lateral: isLateral }) => isLateral && own.groups.includes(name))
    .map(
      ({ name }): Laid => ({ kind: 'line', name, maxLps: null, isOn: (unit) => unit.groups.includes(name) }),
    );
  const ofMains = mains.flatMap((main): Laid[] => {
    const names = new Set(groups.filter(({ uid }) => main.groups.includes(uid)).map(({ name }) => name));
    const isOn = (unit: Grouped) => isIn(unit, names);
    return isOn(own) ? [{ kind: 'main', name: main.name, maxLps: main.maxLps, isOn }] : [];
  });
  return [...lines, ...ofMains, { kind: 'farm', name: farmName, maxLps, isOn: () => true }];
}

function withOpen(
  { isOn, ...pipe }: Laid,
  others: readonly Unit[],
  lpsOf: (unit: Unit) => number,
  now: number,
): Omit<Pipe, 'planned'> {
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

interface Known {
  readonly lpsOf: (unit: Unit) => number;
  /** Epoch ms. */
  readonly now: number;
}

/** What is to begin on a pipe, and the most that it then gives at a time, with what is open now for as long as that stays so. */
function plannedOn(
  { isOn }: Laid,
  others: readonly Unit[],
  ahead: readonly AheadUnit[],
  { lpsOf, now }: Known,
): Pipe['planned'] {
  const here = ahead.filter(isOn);
  const begin = here.filter(({ turns }) => turns.length > 0);
  const firstAt = firstOf(begin);
  const { open, mayBe } = openAmong(others.filter(isOn), now);
  const givings = [
    ...open.map((unit) => openNow(unit, lpsOf(unit), true)),
    ...mayBe.map((unit) => openNow(unit, lpsOf(unit), false)),
    ...begin.flatMap(({ uid, lps, turns }) =>
      turns.map(({ startAt, endAt, isSure }) => ({ unit: uid, lps, from: startAt, to: endAt, isSure })),
    ),
  ];
  const { sure, all } = begin.length > 0 ? peakOf(givings, firstAt) : { sure: 0, all: 0 };
  return {
    starts: begin.length,
    unsure: begin.filter(({ turns }) => turns.every(({ isSure }) => !isSure)).length,
    firstAt: begin.length > 0 ? new Date(firstAt).toISOString() : null,
    lps: toTenth(sure),
    mayBeLps: toTenth(all - sure),
    unset: begin.filter(({ lps }) => lps === 0).length,
    unknown: here.filter(({ isUnknown }) => isUnknown).length,
  };
}

/** Epoch ms; Infinity: none begins. In a loop: of thousands of units the turns are more than a call may have arguments. */
function firstOf(begin: readonly AheadUnit[]): number {
  let first = Number.POSITIVE_INFINITY;
  for (const { turns } of begin) for (const { startAt } of turns) first = Math.min(first, startAt);
  return first;
}

/** Of one that was to close by now nobody knows when it does. */
const openNow = ({ id, belief }: Unit, lps: number, isSure: boolean): Giving => {
  const to = isSure ? (belief?.until ?? null) : null;
  return { unit: id, lps, from: 0, to: to ?? Number.POSITIVE_INFINITY, isSure };
};

const toTenth = (lps: number) => Math.round(lps * 10) / 10;
