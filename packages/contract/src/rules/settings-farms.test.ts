import { describe, expect, test } from 'vitest';
import { cardTypes, defaultSettings, defaultStressBands } from '../default-settings.ts';
import type { Settings } from '../settings.ts';
import { cardMapsOf, cardsFor, dashboardCardsOf, orderCards, stressBandsOf } from './settings-farms.ts';
import { mergePatches, patchSettings } from './settings-patch.ts';
import { moveStart } from './stress-bands.ts';

const id = (n: number) => n.toString(16).padStart(24, '0');
const farm = (n: number, more: object = {}) => ({ info: { id: id(n) }, ...more });
const types = (cards: readonly { type: string }[]) => cards.map(({ type }) => type);

describe('what holds for a farm', () => {
  const settings: Settings = {
    ...defaultSettings,
    displayTankMap: false,
    farms: [farm(1, { displayIPCMap: false }), farm(2, { displayTankMap: true })],
  };

  test('is its own choice, else that for all farms', () => {
    expect(cardMapsOf(settings, id(1))).toEqual({ sprinklers: false, tanks: false });
    expect(cardMapsOf(settings, id(2))).toEqual({ sprinklers: true, tanks: true });
    expect(cardMapsOf(settings, id(3))).toEqual({ sprinklers: true, tanks: false });
  });

  test('stress bands: the site’s own, else the farm’s, else all farms’, else the defaults', () => {
    const [ofSite, ofFarm, ofAll] = [20, 25, 28].map((start) => moveStart(defaultStressBands, 1, start));
    const all: Settings = {
      smStressBands: ofAll,
      farms: [farm(1, { smStressBands: ofFarm, sites: [{ id: 'a', smStressBands: ofSite }, { id: 'b' }] })],
    };
    expect(stressBandsOf(all, id(1), 'a')).toEqual(ofSite);
    expect(stressBandsOf(all, id(1), 'b')).toEqual(ofFarm);
    expect(stressBandsOf(all, id(2))).toEqual(ofAll);
    expect(stressBandsOf({}, id(2))).toEqual(defaultStressBands);
  });
});

describe('dashboard cards', () => {
  test('stand in the default order, all shown, until a farm has its own', () => {
    const cards = dashboardCardsOf(defaultSettings, id(1));
    expect(types(cards)).toEqual([...cardTypes]);
    expect(cards.every(({ visible }) => visible)).toBe(true);
  });

  test('of a farm come once each; missing ones at the end, unknown ones not at all', () => {
    const cards = ['Tank', 'Weather', 'Tank', 'Headline'].map((type) => ({ type, visible: false }));
    const shown = dashboardCardsOf({ farms: [farm(1, { dashboard: { cards } })] }, id(1));
    expect(types(shown)).toEqual([
      'Tank',
      'Headline',
      'SoilMoisture',
      'Flow',
      'IPCStatus',
      'IPCHealth',
      'IPCComms',
      'IO',
    ]);
  });

  test('a farm of tanks has Headline and Tank alone, and ordering them moves no other', () => {
    const cards = dashboardCardsOf(defaultSettings, id(1));
    expect(types(cardsFor(cards, true))).toEqual(['Headline', 'Tank']);
    expect(types(orderCards(cards, ['Tank', 'Headline'])).slice(0, 4)).toEqual([
      'Tank',
      'SoilMoisture',
      'Headline',
      'Flow',
    ]);
  });
});

describe('changes', () => {
  const before: Settings = { displayPOI: true, farms: [farm(1, { displayIPCMap: false, note: 1 }), farm(2)] };

  test('of one farm leave the others, and the rest of it, alone', () => {
    const after = patchSettings(before, { farms: [farm(1, { displayTankMap: true }), farm(3)] });
    expect(after).toEqual({
      displayPOI: true,
      farms: [farm(1, { displayIPCMap: false, note: 1, displayTankMap: true }), farm(2), farm(3)],
    });
  });

  test('to null take a farm’s own choice away', () => {
    expect(patchSettings(before, { farms: [farm(1, { displayIPCMap: null })] }).farms?.[0]).toEqual(
      farm(1, { note: 1 }),
    );
  });

  test('one after the other are as both at once', () => {
    const first = { displayPOI: false, farms: [farm(1, { displayIPCMap: null, displayTankMap: false })] };
    const then = { displaySpares: true, farms: [farm(1, { displayTankMap: true }), farm(4)] };
    expect(patchSettings(before, mergePatches(first, then))).toEqual(
      patchSettings(patchSettings(before, first), then),
    );
  });
});
