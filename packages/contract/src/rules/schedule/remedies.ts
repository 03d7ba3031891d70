import type { TemplateDesign } from '../../schedule-templates.ts';
import { LINES_MAX } from '../../limits.ts';
import { DAY_MINUTES, type Finding, type Limits, ROUND_MINUTES } from './plan.ts';

export type PlanDesign = Omit<TemplateDesign, 'name'>;
type DesignGroup = PlanDesign['groups'][number];

/** A change of the design after which a finding is gone. */
export interface Remedy {
  /** On its button. */
  readonly text: string;
  readonly design: PlanDesign;
}

interface Named {
  readonly uid: string;
  readonly name: string;
}

/** What a design is made for. */
export interface DesignedFor {
  /** Of the farm, or gone from it. */
  readonly groups: readonly Named[];
  /** What the farm's water supply allows; null: nobody has said. */
  readonly supply: Limits | null;
}

/** What mends a finding by itself, the least change first; none where a person has to judge. */
export function remediesOf(
  { code, severity, group = '', otherGroup = '', figures }: Finding,
  design: PlanDesign,
  { groups, supply }: DesignedFor,
): readonly Remedy[] {
  const of = (name: string) => figures[name] ?? 0;
  switch (code) {
    case 'doesNotFit':
      return [
        ...shorter(design, groupOf(group, design, groups), of('longestMin')),
        ...moreLines(design, groupOf(group, design, groups), of('linesThatFit')),
      ];
    case 'nearlyDaily':
      return shorter(design, groupOf(group, design, groups), of('longestMin'));
    case 'doesNotFitLimits':
      return allShorter(design, of('longestMin'));
    case 'twiceAtOnce':
      return without(design, groupOf(otherGroup, design, groups));
    case 'emptyGroup':
    case 'goneGroup':
      return without(design, groupOf(group, design, groups));
    case 'tooManyEntries':
      return fewerRounds(design, of('entries'), of('most'));
    case 'runoff':
      return of('cycleMin') === DAY_MINUTES ? inRounds(design, tenths(of('mm')) / of('mostMm')) : [];
    case 'overPump':
    case 'overMain':
    case 'outsideWindow':
      // One sprinkler alone that is too much fits into no limits.
      return severity === 'error' ? [] : withinSupply(design, supply);
    case 'lineAtOnce':
    case 'byHand':
    case 'noUnits':
    case 'noFlow':
    case 'twice':
    case 'windyFew':
      return [];
    default:
      return code satisfies never;
  }
}

/** Of several groups that don't fit: minutes with which all do. */
export function remedyForAll(findings: readonly Finding[], design: PlanDesign): readonly Remedy[] {
  const unfit = findings.filter(({ code }) => code === 'doesNotFit' || code === 'nearlyDaily');
  if (unfit.length < 2) return [];
  return allShorter(design, Math.min(...unfit.map(({ figures }) => figures.longestMin ?? 0)));
}

interface Found extends Named {
  readonly chosen: DesignGroup;
}

/** By the name of the group, or of one of its lines. */
function groupOf(line: string, design: PlanDesign, groups: readonly Named[]): Found | null {
  const chosen = new Map(design.groups.map((group) => [group.uid.toLowerCase(), group]));
  const isLine = ({ name, lines = 1 }: { name: string; lines?: number | undefined }) =>
    line === name || (lines > 1 && line.startsWith(`${name}/`) && /^\d+$/.test(line.slice(name.length + 1)));
  for (const { uid, name } of groups) {
    const own = chosen.get(uid);
    if (own && isLine({ name, lines: own.lines })) return { uid, name, chosen: own };
  }
  return null;
}

const withGroup = (design: PlanDesign, { chosen }: Found, change: Partial<DesignGroup>): PlanDesign => ({
  ...design,
  groups: design.groups.map((group) => (group === chosen ? { ...group, ...change } : group)),
});

function shorter(design: PlanDesign, found: Found | null, minutes: number): Remedy[] {
  if (!found || minutes < 1) return [];
  // Alone, it is the template that waters as long as this group.
  if (design.groups.length === 1) return allShorter(design, minutes);
  return [
    { text: `${minutes} min for ${found.name}`, design: withGroup(design, found, { duration: minutes }) },
  ];
}

function allShorter(design: PlanDesign, minutes: number): Remedy[] {
  if (minutes < 1) return [];
  return [
    {
      text: `${minutes} min each`,
      design: {
        ...design,
        settings: { ...design.settings, duration: Math.min(minutes, design.settings.duration) },
        groups: design.groups.map((group) =>
          group.duration === undefined ? group : { ...group, duration: Math.min(minutes, group.duration) },
        ),
      },
    },
  ];
}

function moreLines(design: PlanDesign, found: Found | null, lines: number): Remedy[] {
  if (!found || lines < 2) return [];
  // The rule splits one line; a group that has several already needs as many of each.
  const all = lines * (found.chosen.lines ?? 1);
  return all > LINES_MAX
    ? []
    : [{ text: `${all} lines for ${found.name}`, design: withGroup(design, found, { lines: all }) }];
}

function without(design: PlanDesign, found: Found | null): Remedy[] {
  if (!found || design.groups.length < 2) return [];
  const groups = design.groups.filter((group) => group !== found.chosen);
  return [{ text: `Leave out ${found.name}`, design: { ...design, groups } }];
}

function withinSupply(design: PlanDesign, supply: Limits | null): Remedy[] {
  if (!supply) return [];
  const { maxLps, windows, avoid, mains = [] } = supply;
  const pipes = mains.map(({ name, maxLps: most, groups }) => ({ name, maxLps: most, groups: [...groups] }));
  const limits = {
    maxLps,
    windows: [...windows],
    avoid: [...avoid],
    ...(pipes.length > 0 && { mains: pipes }),
  };
  return [{ text: 'Keep to the water supply', design: { ...design, limits } }];
}

/** As it is told. */
const tenths = (mm: number) => Math.round(mm * 10) / 10;

/** A day's water in several rounds, where all water for the template's minutes. */
function inRounds(design: PlanDesign, times: number): Remedy[] {
  const rounds = Math.ceil(times);
  const minutes = Math.floor(design.settings.duration / rounds);
  const cycleLen = ROUND_MINUTES.find((round) => round * rounds === DAY_MINUTES);
  const isRound = (design.settings.cycleLen ?? DAY_MINUTES) < DAY_MINUTES;
  const hasOwn = design.groups.some(({ duration }) => duration !== undefined);
  if (cycleLen === undefined || minutes < 1 || isRound || hasOwn || design.limits) return [];
  return [
    {
      text: `${rounds} rounds a day of ${minutes} min`,
      design: { ...design, settings: { duration: minutes, cycleLen } },
    },
  ];
}

/** As many rounds as units can keep. */
function fewerRounds(design: PlanDesign, entries: number, most: number): Remedy[] {
  const { cycleLen = DAY_MINUTES } = design.settings;
  const perRound = entries / (DAY_MINUTES / cycleLen);
  const longer = ROUND_MINUTES.find((minutes) => (perRound * DAY_MINUTES) / minutes <= most);
  if (longer === undefined || longer <= cycleLen) return [];
  return [
    {
      text: `${DAY_MINUTES / longer} rounds a day`,
      design: { ...design, settings: { ...design.settings, cycleLen: longer } },
    },
  ];
}
