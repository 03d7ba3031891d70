import type { SetDifferences, SetFigures, SetStanding, SetSummary } from '@headrace/contract/schedule-sets';
import { DAY_MINUTES } from '@headrace/contract/rules/schedule/plan';
import { numberText } from '../../ui/format.ts';

/** What it waters in a cycle, or in a day of several rounds. */
export function figuresText({ minutes, litres, mm }: SetFigures, cycleMinutes: number): string {
  const [least, most] = [depth(mm.least), depth(mm.most)];
  const depths = least === most ? least : `${least} to ${most}`;
  const per = cycleMinutes < DAY_MINUTES ? 'a day' : 'a cycle';
  return `${depths} mm, ${numberText(minutes)} min and ${volume(litres)} ${per}`;
}

const depth = (mm: number) => numberText(mm, 1);
const volume = (litres: number) =>
  litres < 10_000 ? `${numberText(litres)} L` : `${numberText(litres / 1000)} m³`;

/** Names of the first of its groups, and how many more there are. */
export function setGroupsText({ groups, figures }: Pick<SetSummary, 'groups' | 'figures'>): string {
  const named = groups
    .slice(0, 3)
    .map(({ name, uid }) => (uid === '' ? `${name} (no longer on the farm)` : name));
  const more = groups.length - named.length;
  const who = `${groups.length === 1 ? 'Group' : 'Groups'} ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  if (groups.length === 0) return figures ? sprinklers(figures.units) : 'No sprinklers';
  return figures ? `${sprinklers(figures.units)}: ${who.charAt(0).toLowerCase()}${who.slice(1)}` : who;
}

const sprinklers = (count: number) => (count === 1 ? '1 sprinkler' : `${numberText(count)} sprinklers`);

/** How far it has got: "912 of 930 hold it, 6 on their way, 12 not confirmed". */
export function standingText({ total, holding, onTheirWay, notConfirmed, otherwise }: SetStanding): string {
  const rest = [
    [onTheirWay, 'on their way'],
    [notConfirmed, 'not confirmed'],
    [otherwise, 'to water by something else'],
  ] as const;
  return [
    `${numberText(holding)} of ${numberText(total)} hold it`,
    ...rest.flatMap(([count, what]) => (count > 0 ? [`${numberText(count)} ${what}`] : [])),
  ].join(', ');
}

/** What `not confirmed` is, where there are such. */
export const NOT_CONFIRMED_TEXT =
  'Not confirmed: it was sent to them, and they neither answered nor said that they hold it. Some may have said that they hold another.';

/** Whom asking would be for: "Poll those 12", "Poll the first 200". */
export const pollText = ({ notConfirmed, toPoll }: Pick<SetStanding, 'notConfirmed' | 'toPoll'>): string => {
  if (toPoll.length < notConfirmed) return `Poll the first ${numberText(toPoll.length)}`;
  return toPoll.length === 1 ? 'Poll that one' : `Poll those ${numberText(toPoll.length)}`;
};

/** "Plan and farm differ: 1 hole, 2 not in it"; null: they don't. */
export function differText(differences: SetDifferences | null): string | null {
  if (!differences) return null;
  const { holes, missing, moved } = differences;
  const parts = [
    ...(holes.count > 0 ? [`${holes.count} ${holes.count === 1 ? 'hole' : 'holes'}`] : []),
    ...(missing.count > 0 ? [`${missing.count} not in it`] : []),
    ...(moved.count > 0 ? [`${moved.count} in another group now`] : []),
  ];
  return parts.length > 0 ? `Plan and farm differ: ${parts.join(', ')}` : null;
}

/** Who they are, a line for each kind. */
export function differLines({ holes, missing, moved }: SetDifferences): string[] {
  const kinds = [
    [holes, 'Out of service, spare or gone, their turn stays empty'],
    [missing, 'In its groups, but without a turn'],
    [moved, 'Still water with a group that they left'],
  ] as const;
  return kinds.flatMap(([{ count, names }, what]) => {
    const more = count - names.length;
    return count > 0 ? [`${what}: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`] : [];
  });
}

/** What it was made from. */
export function originText({ template, isByHand }: Pick<SetSummary, 'template' | 'isByHand'>): string {
  const hand = isByHand ? ', edited by hand' : '';
  if (!template) return isByHand ? 'Edited by hand' : 'Without a template';
  const { name, version, newestVersion, uid } = template;
  if (uid === null) return `From template ${name}, which was deleted${hand}`;
  const changed = newestVersion !== null && newestVersion > version;
  return `From template ${name}${hand}${changed ? ', which has changed since' : ''}`;
}
