import { findingText } from '@headrace/contract/rules/schedule/finding-labels';
import { litresADay, planTemplate } from '@headrace/contract/rules/schedule/template-plan';
import type { ScheduleFarm, TemplateDesign } from '@headrace/contract/schedule-templates';
import { errorText } from '../../api/client.ts';
import { numberText } from '../../ui/format.ts';
import { restrictedDesign, type Restriction } from './restricted-design.ts';
import { cubic } from './restriction-text.ts';

type Design = TemplateDesign & { readonly farmUID: string };

export interface TrimmedText {
  readonly text: string;
  readonly isEnough: boolean;
}

/** A spoonful more is no breach, L a day. */
const ROUNDING = 1;

/** What a set's design would take when it is trimmed, and what may be taken. */
export function trimmedText(
  farm: ScheduleFarm,
  design: Design,
  by: Restriction,
  allowedLitres: number,
): TrimmedText {
  const trimmed = trimmedOf(design, by);
  if (typeof trimmed === 'string') return { text: trimmed, isEnough: false };
  const planned = planTemplate(farm, trimmed);
  if (!planned.ok) {
    const [worst] = planned.findings;
    return { text: `It does not fit as it is. ${worst ? findingText(worst) : ''}`.trim(), isEnough: false };
  }
  const litres = litresADay(planned.plan, farm);
  const isEnough = litres <= allowedLitres + ROUNDING;
  const taken = `By this template ${cubic(litres)} a day would be taken; ${cubic(allowedLitres)} may be.`;
  const tooMuch =
    by.kind === 'without' ? 'choose more groups' : 'stop groups, or shorten it more in its form';
  const parts = [taken, isEnough ? '' : `That is too much: ${tooMuch}.`, sharedText(farm, trimmed, by)];
  return { text: parts.filter((part) => part !== '').join(' '), isEnough };
}

/** What can't be trimmed says why. */
function trimmedOf(design: Design, by: Restriction): Design | string {
  try {
    return restrictedDesign(design, by);
  } catch (error) {
    return errorText(error);
  }
}

/** Who waters on for another group than the one that stops. */
function sharedText(farm: ScheduleFarm, { groups }: Design, by: Restriction): string {
  if (by.kind === 'shorter') return '';
  const going = new Set(groups.map(({ uid }) => uid));
  const unitsOf = (isMeant: (uid: string) => boolean) =>
    new Set(farm.groups.filter(({ uid }) => isMeant(uid)).flatMap(({ ipcs }) => ipcs.map(({ id }) => id)));
  const stopped = unitsOf((uid) => by.groups.has(uid));
  const count = [...unitsOf((uid) => going.has(uid))].filter((id) => stopped.has(id)).length;
  if (count === 0) return '';
  return count === 1
    ? '1 sprinkler of the groups that stop is in another too and waters on by it; a hold stops it.'
    : `${numberText(count)} sprinklers of the groups that stop are in others too and water on by it; a hold stops them.`;
}
