import { describe, expect, it } from 'vitest';
import { type MaybeSilent, type Passer, silenceOf } from './silence-cause.ts';

const DAY = 86_400_000;
const NOW = 1_000 * DAY;
/** 0.001° of latitude are 111 m. */
const at = (north: number) => ({ lat: -43 + north / 1000, lng: 172 });
const unit = (north: number, daysAgo: number | null, gatewayUID = 'g'): MaybeSilent => ({
  location: at(north),
  heardAt: daysAgo === null ? null : NOW - daysAgo * DAY,
  gatewayUID,
});
const passer = (id: string, daysAgo: number, north = 0): Passer => ({
  id,
  name: id.toUpperCase(),
  location: at(north),
  heardAt: NOW - daysAgo * DAY,
});
const gateway = passer('g', 0);
const ask = (units: MaybeSilent[], repeaters: Passer[] = [], gateways = [gateway]) =>
  silenceOf(units, { gateways, repeaters }, NOW);
const three = [unit(1, 5), unit(2, 5), unit(-2, 5.2)];

describe('many silent sprinklers', () => {
  it('near a repeater that fell silent with them have that cause', () => {
    expect(ask([...three, unit(9, 3), unit(1, 0.1)], [passer('r3', 5), passer('r1', 0.5)])).toEqual({
      silent: 4,
      cause: { kind: 'repeater', id: 'r3', name: 'R3', heardAt: NOW - 5 * DAY, units: 3 },
    });
  });

  it.each([
    ['two alone', three.slice(1), [passer('r3', 5)]],
    ['less than half', [...three, unit(9, 3), unit(9, 3), unit(9, 3), unit(9, 3)], [passer('r3', 5)]],
    ['farther than 250 m', [unit(3, 5), unit(4, 5), unit(5, 5)], [passer('r3', 5)]],
    ['a repeater that was heard yesterday', three, [passer('r3', 1)]],
    ['a repeater that fell silent before they did', three, [passer('r3', 9)]],
  ])('have no known cause: %s', (_what, units, repeaters) => {
    expect(ask(units, repeaters).cause).toBeNull();
  });

  it('of a gateway that is away have that cause, wherever they are', () => {
    const away = passer('g', 2);
    const units = [unit(1, 2), unit(40, 2.2), unit(80, 2.1), unit(1, 3, 'other')];
    expect(ask(units, [], [away]).cause).toMatchObject({ kind: 'gateway', id: 'g', units: 3 });
  });

  it('that were never heard are not among them', () => {
    expect(ask([unit(1, null), unit(1, null), unit(1, null)], [passer('r3', 5)])).toEqual({
      silent: 0,
      cause: null,
    });
  });
});
