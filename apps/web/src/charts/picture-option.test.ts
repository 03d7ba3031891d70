import { expect, test } from 'vitest';
import { chartPalettes } from './chart-palette.ts';
import { pictureOption } from './picture-option.ts';

const palette = chartPalettes.light;

test('a picture carries its title, and the names of what it shows', () => {
  const option = pictureOption({ grid: { left: 8 } }, { title: 'Flow', shown: ['House', 'Yards'], palette });
  expect(option).toMatchObject({
    title: { text: 'Flow' },
    legend: { data: ['House', 'Yards'] },
    grid: { top: 92 },
  });
});

test('one without a legend has more room', () => {
  expect(pictureOption({}, { title: 'Level', shown: undefined, palette })).toMatchObject({
    grid: { top: 60 },
  });
});
