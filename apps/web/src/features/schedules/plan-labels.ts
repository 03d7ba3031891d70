import { cycleText } from '@headrace/contract/rules/schedule/cycle-text';
import { countText } from '@headrace/contract/rules/number-text';
import { numberText } from '../../ui/format.ts';
import { lpsText } from './flow-strip.tsx';
import type { MadePlan, PlanResult } from './plan-result.ts';

/** "5 h 36 min" */
export function lengthText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** The result in a line, as it stays in sight on a phone. */
export function summaryText({ made, findings }: PlanResult): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  if (!made) return `Doesn't fit yet: ${countText(errors, 'problem')}`;
  const warnings = findings.filter(({ severity }) => severity === 'warning').length;
  const { sprinklers, peakLps } = made.figures;
  return [
    countText(sprinklers, 'sprinkler'),
    `cycle ${cycleText(made.cycleLen)}`,
    `up to ${lpsText(peakLps)}`,
    ...(warnings > 0 ? [countText(warnings, 'warning')] : []),
  ].join(' · ');
}

/** What the plan takes, in terms and numbers. */
export function factsOf({ cycleLen, figures }: MadePlan): readonly (readonly [string, string])[] {
  const { sprinklers, lines, takesMin, leastMin, endsAt, endsOnDay, peakLps, litres } = figures;
  const day = endsOnDay > 1 ? `, day ${endsOnDay}` : '';
  const takes = `${lengthText(takesMin)}, to ${endsAt}${day}`;
  return [
    ['Cycle', cycleText(cycleLen)],
    ['Sprinklers', `${numberText(sprinklers)} on ${countText(lines, 'line')}`],
    ['Waters for', leastMin === null ? takes : `${takes}; at least ${lengthText(leastMin)}`],
    ['Most flow', lpsText(peakLps)],
    ['Water', `${numberText(litres / 1000)} m³ a cycle`],
  ];
}
