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

it.each([
  ['to 1', 1, ['0', '1', '2', '3', '4']],
  ['to 47', 47, ['0', '15', '30', '45', '60']],
  ['to 500', 500, ['0', '150', '300', '450', '600']],
])('an axis of things that are counted %s has whole ones alone', (_to, value, lines) => {
  const { shapes } = columnChart({
    series: [{ name: 'Sprinklers', ink: 'deep' }],
    groups: [{ label: 'under 50 %', values: [value] }],
    unit: '',
  });
  const axis = shapes.flatMap((shape) =>
    shape.kind === 'text' && shape.at === 'end' ? [shape.text.trim()] : [],
  );
  expect(axis).toEqual(lines);
});
