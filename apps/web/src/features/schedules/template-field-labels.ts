import { cycleText } from '@headrace/contract/rules/schedule/cycle-text';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import { enteredNumber } from '../../forms/fields.tsx';
import type { EnteredHours } from '../../forms/hours-field.tsx';
import { mainText } from './main-values.ts';
import type { NamedGroup } from './plan-result.ts';
import type { ChosenGroup, TemplateValues } from './template-values.ts';

/** How a template's fields are called and read, where two people's versions are compared. */
export function templateFieldText(groups: readonly NamedGroup[]): FieldLabels<TemplateValues> {
  const nameOf = new Map(groups.map(({ uid, name }) => [uid, name]));
  return {
    name: { label: 'Name' },
    groups: { label: 'Groups', text: (chosen) => chosen.map((group) => groupText(group, nameOf)).join(', ') },
    duration: { label: 'Duration', text: (minutes) => `${minutes} min` },
    wal: { label: 'Water application', text: (depth) => `${depth} mm` },
    start: { label: 'Start' },
    round: {
      label: 'Rounds',
      text: (minutes) =>
        minutes === '' ? 'Daily, or every 2 days by need' : `Every ${cycleText(Number(minutes))}`,
    },
    windy: { label: 'Windy' },
    leveling: { label: 'Leveling' },
    maxLps: { label: 'Most flow', text: (flow) => (enteredNumber(flow) === null ? 'Any' : `${flow} L/s`) },
    windows: { label: 'Hours for water', text: (windows) => hoursText(windows) || 'Any' },
    avoid: { label: 'Hours to avoid', text: hoursText },
    mains: { label: 'Mains', text: (mains) => mains.map((main) => mainText(main, groups)).join('; ') },
  };
}

function groupText({ uid, lines, duration }: ChosenGroup, nameOf: ReadonlyMap<string, string>): string {
  const own = [
    ...(Number(lines) > 1 ? [`${lines} lines`] : []),
    ...(enteredNumber(duration) === null ? [] : [`${duration} min`]),
  ];
  const name = nameOf.get(uid) ?? 'a group that is gone';
  return own.length > 0 ? `${name} (${own.join(', ')})` : name;
}

const hoursText = (windows: readonly EnteredHours[]) =>
  windows.map(({ from, to }) => `${from}–${to}`).join(', ');
