import { expect, test } from 'vitest';
import { cardTypes, type CardType } from '@headrace/contract/default-settings';
import { rowsOf } from './card-rows.ts';

test.each<[name: string, cards: CardType[], rows: CardType[][]]>([
  ['nothing', [], []],
  ['one half alone', ['Flow'], [['Flow']]],
  ['two halves', ['IO', 'Flow'], [['IO', 'Flow']]],
  ['three halves', ['IO', 'Flow', 'IPCComms'], [['IO', 'Flow'], ['IPCComms']]],
  [
    'whole rows keep their order',
    ['Tank', 'Headline', 'SoilMoisture'],
    [['Tank'], ['Headline'], ['SoilMoisture']],
  ],
  ['a half before a whole row moves on to the next half', ['Flow', 'Tank', 'IO'], [['Tank'], ['Flow', 'IO']]],
  [
    'a half moves on behind several whole rows',
    ['Flow', 'Tank', 'SoilMoisture', 'IO', 'IPCComms'],
    [['Tank'], ['SoilMoisture'], ['Flow', 'IO'], ['IPCComms']],
  ],
  ['a half without any to come stays in its place', ['Flow', 'Tank'], [['Flow'], ['Tank']]],
  [
    'a pair before, and one moved on',
    ['IPCHealth', 'IPCComms', 'Flow', 'IPCStatus', 'IO', 'Tank'],
    [['IPCHealth', 'IPCComms'], ['IPCStatus'], ['Flow', 'IO'], ['Tank']],
  ],
  [
    'the default order',
    [...cardTypes],
    [['Headline'], ['SoilMoisture'], ['Tank'], ['IPCStatus'], ['Flow', 'IPCHealth'], ['IPCComms', 'IO']],
  ],
  [
    'the default order without sprinklers',
    ['Headline', 'SoilMoisture', 'Tank', 'Flow', 'IO'],
    [['Headline'], ['SoilMoisture'], ['Tank'], ['Flow', 'IO']],
  ],
])('rows of %s', (_name, cards, rows) => {
  expect(rowsOf(cards)).toEqual(rows);
});
