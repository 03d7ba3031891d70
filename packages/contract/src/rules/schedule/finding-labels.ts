import { clockText } from './clock-text.ts';
import type { Finding, FindingCode } from './plan.ts';

type FindingText = (finding: Finding, figure: (name: string) => number) => string;

/** What a finding says to people, with what they can do about it. */
export function findingText(finding: Finding): string {
  return texts[finding.code](finding, (name) => finding.figures[name] ?? 0);
}

/** A plan's own limits may be those of the water supply: what is found by both is told once. */
export function foundOnce(beyond: readonly Finding[], found: readonly Finding[]): Finding[] {
  const told = new Set(beyond.map(findingText));
  return [...beyond, ...found.filter((finding) => !told.has(findingText(finding)))];
}

const texts: Readonly<Record<FindingCode, FindingText>> = {
  noUnits: () => 'There is no sprinkler to plan. Choose a group that has sprinklers in service.',
  emptyGroup: ({ group }) => `Group ${group} has no sprinkler in service.`,
  goneGroup: ({ group }) =>
    `Group ${group} is no longer on the farm. Leave it out, or the set can't be made.`,
  doesNotFit: ({ group }, of) =>
    `Group ${group} does not fit: it needs ${minutes(of('needMin'))}, and the cycle has ${whole(of('cycleMin'))}. ${remedy(of)}`,
  doesNotFitLimits: (_, of) =>
    `The plan does not fit into the limits: the longest line takes ${minutes(of('lineMin'))}, the flow ${minutes(Math.ceil(of('flowMin')))}, and ${whole(of('windowMin'))} are allowed. ${
      of('longestMin') > 0
        ? `${whole(of('longestMin'))} min each fit.`
        : 'Allow more flow or more hours, or choose fewer groups.'
    }`,
  nearlyDaily: ({ group }, of) =>
    `Group ${group} needs ${minutes(of('needMin'))}, a little more than a day, so all water every second day only. ${whole(of('longestMin'))} min each fit into a day.`,
  overPump: (_, of) =>
    `Up to ${litres(of('lps'))} L/s are drawn and the pump gives ${litres(of('maxLps'))}, first from ${clockText(of('fromMin'))} to ${clockText(of('toMin'))}.`,
  overMain: ({ main, unit }, of) =>
    unit === undefined
      ? `Main ${main}: up to ${litres(of('lps'))} L/s are drawn and it gives ${litres(of('maxLps'))}, first from ${clockText(of('fromMin'))} to ${clockText(of('toMin'))}.`
      : `Sprinkler ${unit} alone draws ${litres(of('lps'))} L/s, and main ${main} gives ${litres(of('maxLps'))}.`,
  noFlow: ({ group }) =>
    `Group ${group} is set to give 0 L/s, so no limit of flow holds it back. Enter its sprinklers' flow at the group or the farm.`,
  outsideWindow: ({ group }, of) =>
    `Group ${group} waters outside the hours that are allowed, first from ${clockText(of('fromMin'))} to ${clockText(of('toMin'))}.`,
  twiceAtOnce: ({ unit, group, otherGroup }, of) =>
    `Sprinkler ${unit} would water for ${group} and ${otherGroup ?? group} at once, at ${clockText(of('fromMin'))}. Take it out of one of the groups.`,
  lineAtOnce: ({ group, unit, otherUnit }, of) =>
    `Sprinklers ${unit} and ${otherUnit} of ${group} would water at once, at ${clockText(of('fromMin'))}: they are on one line.`,
  twice: ({ unit }, of) =>
    `Sprinkler ${unit} is in more than one of the groups and waters in each: ${litres(of('mm'))} mm in all.`,
  runoff: ({ group }, of) =>
    `Group ${group} gets ${litres(of('mm'))} mm at one go: on heavy soil or a slope, what is over ${whole(of('mostMm'))} mm runs off.`,
  tooManyEntries: ({ unit }, of) =>
    `Sprinkler ${unit} would water ${whole(of('entries'))} times in a cycle; ${whole(of('most'))} are the most that it keeps. Choose fewer rounds a day.`,
  windyFew: ({ group }, of) =>
    `Group ${group} has a line of ${whole(of('units'))}: neighbours can't all be kept apart.`,
  byHand: () => 'Edited by hand: it is not what its template gives.',
};

function remedy(of: (name: string) => number): string {
  const duration = of('longestMin') > 0 ? [`${whole(of('longestMin'))} min each fit`] : [];
  const lines = of('linesThatFit') > 1 ? [`${whole(of('linesThatFit'))} lines do`] : [];
  const both = [...duration, ...lines].join(', or ');
  return both === '' ? 'Choose fewer sprinklers.' : `${both.charAt(0).toUpperCase()}${both.slice(1)}.`;
}

const whole = (value: number) => value.toLocaleString('en-NZ');
const minutes = (value: number) => `${whole(value)} min`;
const litres = (value: number) => value.toLocaleString('en-NZ', { maximumFractionDigits: 1 });
