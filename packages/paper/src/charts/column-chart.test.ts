import { expect, it } from 'vitest';
import { columnChart } from './column-chart.ts';

it.each([
  ['to 1', 0.9, ['0 mm', '0.25 mm', '0.5 mm', '0.75 mm', '1 mm']],
  ['to 10', 9.9, ['0 mm', '2.5 mm', '5 mm', '7.5 mm', '10 mm']],
])('an axis %s says of each of its lines where it is', (_to, value, lines) => {
  const { shapes } = columnChart({
    series: [{ name: 'Mean', ink: 'deep' }],
    groups: [{ label: '21/11', values: [value] }],
    unit: 'mm',
  });
  const texts = shapes.flatMap((shape) =>
    shape.kind === 'text' && shape.text.endsWith(' mm') ? [shape.text] : [],
  );
  expect(texts).toEqual(lines);
});
