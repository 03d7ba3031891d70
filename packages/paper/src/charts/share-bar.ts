import { countText } from '@headrace/contract/rules/number-text';
import { CONTENT_WIDTH, type Drawing, type Ink, type Mark, type Shape } from '../paper.ts';
import { at } from './column-chart.ts';

export interface Share {
  readonly label: string;
  readonly count: number;
  readonly mark: Mark;
}

const [BAR, GAP, ROW] = [16, 2, 26];
/** Light beside dark, so that the parts are told apart in gray. */
const fills: Readonly<Partial<Record<Mark, Ink>>> = { ok: 'pale', caution: 'middle', issue: 'deep' };

/** One bar for all, and what its parts are. */
export function shareBar(shares: readonly Share[]): Drawing {
  const total = shares.reduce((sum, { count }) => sum + count, 0);
  const some = shares.filter(({ count }) => count > 0);
  const room = CONTENT_WIDTH - GAP * Math.max(0, some.length - 1);
  let x = 0;
  const bars = some.map(({ count, mark }): Shape => {
    const width = (room * count) / total;
    const d = `M ${at(x)} 0 h ${at(width)} v ${BAR} h ${at(-width)} Z`;
    x += width + GAP;
    return { kind: 'path', d, fill: fills[mark] ?? mark };
  });
  const words = shares.flatMap(({ label, count, mark }, n): Shape[] => [
    { kind: 'path', d: `M ${n * 170} ${ROW - 1} h 10 v 10 h -10 Z`, fill: fills[mark] ?? mark },
    {
      kind: 'text',
      text: `${label}: ${countText(count, 'sprinkler')}`,
      x: n * 170 + 16,
      y: ROW - 1,
      size: 8.5,
      ink: 'text',
    },
  ]);
  return { width: CONTENT_WIDTH, height: 40, shapes: [...bars, ...words] };
}
