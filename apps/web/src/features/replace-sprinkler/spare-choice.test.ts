import { describe, expect, test } from 'vitest';
import { spareStatuses } from '@headrace/contract/rules/spare-readiness';
import { buildIpc } from '../devices/device-fixtures.ts';
import { choiceWhyNot, choiceText, cureText, spareChoices } from './spare-choice.ts';

const place = { id: 'the place', lat: -43.75, lng: 172.02 };
const { Ready, NotReady, WithErrors, Unknown } = spareStatuses;
const spare = (n: number, spareStatus: number, over = {}) =>
  buildIpc(n, { isSpareUnit: true, spareStatus, lat: null, lng: null, ...over });
const names = (spares: ReturnType<typeof spare>[]) =>
  spareChoices(spares, place).map((one) => one.spare.name);

describe('the spares for a place', () => {
  test('are ordered by readiness, then distance, then charge, then name', () => {
    const spares = [
      spare(1, Unknown),
      spare(2, NotReady),
      spare(3, WithErrors),
      spare(10, Ready, { charge: 80 }),
      spare(4, Ready, { charge: 80 }),
      spare(5, Ready, { charge: 95 }),
      spare(6, Ready, { charge: null }),
      spare(7, Ready, { charge: 70, lat: -43.76, lng: 172.02 }),
      spare(8, Ready, { charge: 70, lat: -43.751, lng: 172.02 }),
    ];
    expect(names(spares)).toEqual(['A8', 'A7', 'A5', 'A4', 'A10', 'A6', 'A3', 'A2', 'A1']);
  });

  test('are without the unit itself', () => {
    expect(spareChoices([spare(1, Ready, { id: place.id })], place)).toEqual([]);
  });

  // 0.001° of latitude is 6371.0088 km × π ÷ 180 ÷ 1000 = 111.2 m.
  test.each([
    [{ spareStatus: Ready, lat: -43.751, lng: 172.02, charge: 96 }, 'Ready, 110 m away, battery 96\u00a0%'],
    [{ spareStatus: Ready, lat: -43.77, lng: 172.02, charge: 96 }, 'Ready, 2.2 km away, battery 96\u00a0%'],
    [{ spareStatus: Ready, charge: null }, 'Ready'],
    [
      { spareStatus: NotReady, charge: 41, spareReasons: ['battery below 70%', 'hibernating'] },
      'Not Ready, battery below 70%, hibernating, battery 41\u00a0%',
    ],
    [{ spareStatus: Unknown, charge: null, spareReasons: ['never contacted'] }, 'Unknown, never contacted'],
  ])('say what speaks for them: %#', (over, text) => {
    expect(spareChoices([spare(1, over.spareStatus, over)], place).map(choiceText)).toEqual([text]);
  });

  test.each([
    [[], null],
    [['battery below 70%', 'wrong channel'], 'Charge it.'],
    [['hibernating'], null],
    [['hibernating', 'wrong farmID'], 'Reconfigure it, under More in its dialog.'],
    [['clock drift above 3 seconds'], 'Set the time, in the dialog of its gateway.'],
    [['never contacted'], 'Poll it: it was never heard.'],
  ])('say by which act they get ready: %j', (spareReasons, text) => {
    expect(spareChoices([spare(1, NotReady, { spareReasons })], place).map(cureText)).toEqual([text]);
  });

  test('can be sent where their MAC address is known', () => {
    const [known, unknown] = spareChoices([spare(1, Ready), spare(2, Ready, { macAddress: '' })], place);
    expect(known && choiceWhyNot(known)).toBeNull();
    expect(unknown && choiceWhyNot(unknown)).toBe(
      'Its MAC address is not known: enter it in its form first.',
    );
  });
});
