import { checker } from '@headrace/device/check';
import { applyMapping } from '@headrace/device/field-mapping';
import { IpcItem, RepeaterItem, SensorItem } from '@headrace/device/messages';
import { ipcReadings, sensorReadings } from '@headrace/device/readings';
import { demoFarms } from '@headrace/demo/demo-farms';
import { describe, expect, it } from 'vitest';
import { createFarmModel, type FarmModel, type Sensor } from './farm-model.ts';
import { sensorHistory, type SensorStates, unitHistory } from './history.ts';
import { decodedObject } from './lorawan/payloads.ts';
import { noiseAt } from './models/noise.ts';
import { unitStatus } from './models/sprinkler.ts';
import type { SensorState } from './sensor-model.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const end = Date.UTC(2026, 1, 10, 3);
const profiles = demoFarms();
const rakaia = createFarmModel(profiles[0] as (typeof profiles)[0], 1);

/** The history of some days before `end`, reckoned in pieces of `piece`. */
function historyOf(farm: FarmModel, days: number, piece = dayMs) {
  const items: { sensor: Sensor; item: SensorItem }[] = [];
  let states: SensorStates = {};
  for (let at = end - days * dayMs; at < end; at += piece) {
    const part = sensorHistory(farm.sensors, states, { from: at, to: Math.min(end, at + piece), end });
    states = part.states;
    items.push(...part.items);
  }
  return items;
}

const sensorOf = (name: string): Sensor => {
  const sensor = rakaia.sensors.find(({ profile }) => profile.name === name);
  if (!sensor) throw new Error(`no sensor ${name}`);
  return sensor;
};
const days30 = historyOf(rakaia, 30);
const seriesOf = (name: string) =>
  days30.filter(({ sensor }) => sensor.profile.name === name).map(({ item }) => item);
const levels = (name: string) =>
  seriesOf(name).flatMap(({ values }) => (values.levelMm === null ? [] : [values.levelMm ?? 0]));
const volts = (name: string) => seriesOf(name).flatMap(({ values }) => values.batteryV ?? []);

describe('history', () => {
  it('is the same for the same seed, in pieces of any size, and another for another seed', () => {
    const words = (list: typeof days30) => list.map(({ item }) => JSON.stringify(item)).sort();
    const short = words(historyOf(rakaia, 6));
    expect(words(historyOf(createFarmModel(rakaia.profile, 1), 6))).toEqual(short);
    expect(words(historyOf(rakaia, 6, 5 * hourMs))).toEqual(short);
    expect(words(historyOf(createFarmModel(rakaia.profile, 2), 6))).not.toEqual(short);
  });

  it('of a year and three farms has less than 900,000 readings', () => {
    let readings = 0;
    for (const profile of profiles) {
      const farm = createFarmModel(profile, 1);
      for (const { item } of historyOf(farm, 365)) readings += sensorReadings(item.values).length;
      for (const { ipcs, repeaters } of unitHistory(farm, { from: end - 365 * dayMs, to: end, end }))
        readings += repeaters.length * 2 + ipcs.reduce((sum, item) => sum + ipcReadings(item).length, 0);
    }
    expect(readings).toBeGreaterThan(600_000);
    expect(readings).toBeLessThan(900_000);
  }, 60_000);

  it('says nothing that the agreement does not allow, and nothing of the future', () => {
    const check = checker(SensorItem);
    for (const { item } of days30) {
      expect(check(item)).toMatchObject({ ok: true });
      expect(Date.parse(item.at)).toBeLessThanOrEqual(end);
    }
    const units = unitHistory(rakaia, { from: end - 30 * dayMs, to: end, end });
    const checkIpc = checker(IpcItem);
    const checkRepeater = checker(RepeaterItem);
    for (const item of units.flatMap(({ ipcs }) => ipcs)) expect(checkIpc(item)).toMatchObject({ ok: true });
    for (const item of units.flatMap(({ repeaters }) => repeaters))
      expect(checkRepeater(item)).toMatchObject({ ok: true });
  });

  it('goes forward in time', () => {
    const times = sensorHistory(rakaia.sensors, {}, { from: end - dayMs, to: end, end }).items.map(
      ({ item }) => item.at,
    );
    expect(times).toEqual([...times].sort());
  });

  it('has gaps where the radio was lost', () => {
    // 48 half hours a day for 30 days, less what was lost.
    expect(seriesOf('Terrace').length).toBeLessThan(1440);
    expect(seriesOf('Terrace').length).toBeGreaterThan(1250);
  });
});

describe('the demo shows', () => {
  const night = (item: SensorItem) => {
    const { hour } = rakaia.env.local(Date.parse(item.at));
    return hour >= 2 && hour < 6;
  };

  it('tanks that stay within what they hold', () => {
    for (const { sensor, item } of days30) {
      const { toplevel = 0, offset = 0 } = sensor.profile.settings;
      const { levelMm } = item.values;
      if (typeof levelMm !== 'number') continue;
      expect(levelMm).toBeGreaterThanOrEqual(0);
      expect(levelMm).toBeLessThanOrEqual(toplevel - offset);
    }
  });

  it('stock that drink nothing between 02:00 and 06:00, and a meter that then sees a seeping joint alone', () => {
    const nights = seriesOf('Stock water meter').filter(night);
    expect(nights.length).toBeGreaterThan(100);
    // 90 L an hour are 1.5 L/min.
    for (const { values } of nights) expect(values.flowLpm).toBe(1.5);
  });

  it('a bore pump that lifts more than a wash draws, at any hour', () => {
    const { model } = sensorOf('Bore buffer');
    const tankOf = (state: SensorState) => {
      if (state.kind !== 'tank') throw new Error('not a tank');
      return state.tank;
    };
    const slot = 600_000;
    let state = model.start(end - 30 * dayMs);
    let fillingSlots = 0;
    for (let at = end - 30 * dayMs; at < end; at += slot) {
      const before = tankOf(state);
      state = model.advance(state, at + slot);
      const after = tankOf(state);
      if (!before.supplyOn || !after.supplyOn) continue;
      fillingSlots += 1;
      expect(after.litres).toBeGreaterThan(before.litres);
    }
    expect(fillingSlots).toBeGreaterThan(100);
  });

  it('a pump that runs all the time and lifts nothing', () => {
    const barcoo = createFarmModel(profiles[2] as (typeof profiles)[0], 1);
    const bore = historyOf(barcoo, 7).filter(({ sensor }) => sensor.profile.name === 'Number 4 bore');
    const said = bore.flatMap(({ item }) => item.values.relayState ?? []);
    // Once an hour of 7 days, none lost.
    expect(said).toEqual(Array.from({ length: 168 }, () => true));
    const mm = bore.map(({ item }) => item.values.levelMm ?? 0);
    // A rise of 0.5 % of its 2,200 mm would explain the run.
    expect(Math.max(...mm) - Math.min(...mm)).toBeLessThan(11);
  });

  it('one tank that loses more than 2 % between 02:00 and 06:00, and others that do not', () => {
    const dropAt = (name: string) => {
      const series = seriesOf(name).filter(night);
      const byDay = new Map<string, SensorItem[]>();
      for (const item of series)
        byDay.set(item.at.slice(0, 10), [...(byDay.get(item.at.slice(0, 10)) ?? []), item]);
      const drops = [...byDay.values()]
        .filter((items) => items.length > 5)
        .map((items) => (items[0]?.values.levelMm ?? 0) - (items.at(-1)?.values.levelMm ?? 0));
      return drops.sort((one, other) => one - other)[Math.floor(drops.length / 2)] ?? 0;
    };
    const { toplevel = 1 } = sensorOf('Back road').profile.settings;
    expect(dropAt('Back road') / toplevel).toBeGreaterThan(0.02);
    expect(Math.abs(dropAt('Terrace')) / toplevel).toBeLessThan(0.01);
  });

  it('one tank that was last heard five hours ago', () => {
    const last = seriesOf('Riverbank').at(-1);
    const hours = (end - Date.parse(last?.at ?? '')) / hourMs;
    expect(hours).toBeGreaterThanOrEqual(5);
    expect(hours).toBeLessThan(7);
  });

  it('one tank below 20 %, one battery below 3.5 V, one probe that fails at times', () => {
    const { toplevel = 1, offset = 0 } = sensorOf('Willows').profile.settings;
    expect(Math.max(...levels('Willows')) + offset).toBeLessThan(0.2 * toplevel);
    expect(Math.max(...volts('Runoff block'))).toBeLessThan(3.5);
    expect(Math.min(...volts('Terrace'))).toBeGreaterThan(3.5);
    const invalid = seriesOf('Woolshed roof').filter(({ values }) => values.levelMm === null);
    expect(invalid.length).toBeGreaterThan(20);
    expect(invalid.length).toBeLessThan(seriesOf('Woolshed roof').length / 2);
  });

  it('a pump that goes on at its low setpoint and off at its high one', () => {
    const { volume = 1 } = sensorOf('Top header').profile.settings;
    const { model } = sensorOf('Top header');
    let state: SensorState = model.start(end - 5 * dayMs);
    const starts: number[] = [];
    const stops: number[] = [];
    for (let at = end - 5 * dayMs; at < end; at += 60_000) {
      const next = model.advance(state, at);
      if (state.kind !== 'tank' || next.kind !== 'tank') throw new Error('a tank stays a tank');
      if (next.tank.supplyOn && !state.tank.supplyOn) starts.push((100 * state.tank.litres) / volume);
      if (!next.tank.supplyOn && state.tank.supplyOn) stops.push((100 * next.tank.litres) / volume);
      state = next;
    }
    expect(starts.length).toBeGreaterThan(3);
    for (const level of starts) expect(Math.abs(level - 60)).toBeLessThan(1);
    for (const level of stops) expect(level).toBeLessThanOrEqual(92.001);
    expect(Math.max(...stops)).toBeGreaterThan(91);
  });

  it('irrigation through the meter at night, and none by day', () => {
    const told = seriesOf('Main pump meter').map(({ at, values }) => ({
      hour: rakaia.env.local(Date.parse(at)).hour,
      lpm: values.flowLpm ?? 0,
    }));
    // Five lines with one sprinkler of 4 L/s each: 1,200 L/min, give or take 3 %.
    expect(Math.max(...told.map(({ lpm }) => lpm))).toBeGreaterThan(1150);
    expect(Math.max(...told.map(({ lpm }) => lpm))).toBeLessThan(1240);
    for (const { hour, lpm } of told) if (hour > 2 && hour < 21) expect(lpm).toBe(0);
  });

  it('tanks of every type, each with its level', () => {
    const told = profiles.flatMap((profile) => {
      const farm = createFarmModel(profile, 1);
      const mm = historyOf(farm, 1).flatMap(({ sensor, item }) =>
        typeof item.values.levelMm === 'number' ? sensor.profile.type : [],
      );
      return [...new Set(mm)];
    });
    // LEVEL_MM 0, LEVEL_SCALAR 5, LEVEL 6 and TLM_V3 100.
    expect([...new Set(told)].toSorted((one, other) => one - other)).toEqual([0, 5, 6, 100]);
  });

  it('soil sites with temperature, two tensions and a gauge whose tips only add up', () => {
    const series = seriesOf('Line A soil').map(({ values }) => values);
    for (const values of series)
      expect(values).toMatchObject({
        temperatureC: expect.any(Number),
        swp1Kpa: expect.any(Number),
        swp2Kpa: expect.any(Number),
      });
    const tips = series.flatMap(({ rainTipsTotal }) => rainTipsTotal ?? []);
    expect(tips).toHaveLength(series.length);
    expect(tips).toEqual(tips.toSorted((one, other) => one - other));
    expect(tips.at(-1)).toBeGreaterThan(tips[0] ?? 0);
  });

  it('soil that is drier without irrigation', () => {
    const mean = (name: string) => {
      const list = seriesOf(name).map(({ values }) => values.swp1Kpa ?? 0);
      return list.reduce((sum, value) => sum + value, 0) / list.length;
    };
    expect(mean('Dryland soil')).toBeGreaterThan(mean('Line A soil'));
  });

  it('meters that never run backwards', () => {
    for (const name of ['Dairy shed', 'Main pump meter', 'Stock water meter']) {
      const totals = seriesOf(name).flatMap(({ values }) => values.pulsesTotal ?? []);
      expect(totals.every((total, index) => index === 0 || total >= (totals[index - 1] ?? 0))).toBe(true);
    }
  });
});

describe('a sprinkler', () => {
  const midnight = Date.UTC(2026, 1, 9, 11);
  const said = (name: string, hour: number) => {
    const place = rakaia.units.find(({ unit }) => unit.name === name);
    if (!place) throw new Error(`no unit ${name}`);
    return unitStatus(place, {}, midnight + hour * hourMs);
  };

  it('reports all that is known of it', () => {
    expect(said('A01', 0)).toEqual({
      mac: rakaia.units.find(({ unit }) => unit.name === 'A01')?.unit.mac,
      at: '2026-02-09T11:00:00.000Z',
      charge: expect.any(Number),
      clock: expect.any(Number),
      ipcCrc: expect.stringMatching(/^[0-9A-F]{2}:[0-9A-F]{2}$/),
      scheduleNum: 1,
      cycleDay: expect.any(Number),
      cycleLen: expect.any(Number),
      mode: expect.stringMatching(/^(Mesh|Local|Hybrid)$/),
      hops: expect.any(Number),
      valve: expect.stringMatching(/^(open|closed)$/),
    });
  });

  it('told when its valve opened and closed on each of the last nights, at its turn', () => {
    const valves = (name: string, days: number) => {
      const { mac } = rakaia.units.find(({ unit }) => unit.name === name)?.unit ?? {};
      return unitHistory(rakaia, { from: end - days * dayMs, to: end, end })
        .flatMap(({ ipcs }) => ipcs)
        .filter((item) => item.mac === mac)
        .map(({ at, valve }) => `${at.slice(8, 16)} ${valve}`);
    };
    // The third of its line, from 21:56 for 28 min (NZDT); `end` is 16:00 on the 10th.
    expect(valves('A03', 2)).toEqual(
      expect.arrayContaining(['08T08:56 open', '08T09:24 closed', '09T08:56 open', '09T09:24 closed']),
    );
    // Its valve is stuck: it is looked at twice in its turn, from 23:20 on.
    expect(valves('D06', 1)).toEqual(expect.arrayContaining(['09T10:26 closed', '09T10:40 closed']));
    expect(valves('D06', 2).every((word) => word.endsWith('closed'))).toBe(true);
    // Nothing was heard on the evening of the 7th.
    expect(valves('A03', 8).filter((word) => word.endsWith('open'))).toHaveLength(7);
  });

  it('is charged by day and discharged by night', () => {
    const mean = (hour: number) => {
      const units = rakaia.units.map(({ unit }) => said(unit.name, hour).charge ?? 0);
      return units.reduce((sum, charge) => sum + charge, 0) / units.length;
    };
    expect(mean(16)).toBeGreaterThan(mean(4) + 2);
    expect(mean(16)).toBeGreaterThan(mean(28) + 2);
  });

  it('drifts from the time that its gateway set, and back at the next setting', () => {
    const drifts = rakaia.units
      .filter(({ unit }) => unit.model.fault === 'none')
      .map(({ unit }) => [said(unit.name, 13).clock ?? 0, said(unit.name, 36.9).clock ?? 0]);
    // Set at midnight UTC, 13:00 here: nothing then, some seconds a day later.
    expect(drifts.every(([set]) => set === 0)).toBe(true);
    expect(drifts.filter(([, later]) => later !== 0).length).toBeGreaterThan(drifts.length / 2);
  });
});

describe('a sensor behind a network server', () => {
  it("is told as its codec would, and the server's mapping brings back what it measured", () => {
    const { mapping } = sensorOf('Terrace spring').profile;
    if (!mapping) throw new Error('it has a mapping');
    for (const { values } of seriesOf('Terrace spring').slice(0, 50)) {
      const object = decodedObject(values, mapping);
      expect(object).toHaveProperty('water_level.value');
      const measured: Record<string, unknown> = values;
      const known = Object.fromEntries(
        mapping.flatMap(({ metric }) => (measured[metric] === undefined ? [] : [[metric, measured[metric]]])),
      );
      expect(applyMapping(object, mapping)).toEqual({ values: known, problems: [] });
    }
  });
});

describe('noise', () => {
  it('is spread evenly over 0 to 1', () => {
    const list = Array.from({ length: 20_000 }, (_, slot) => noiseAt(42, slot));
    for (let tenth = 0; tenth < 10; tenth += 1)
      expect(Math.abs(list.filter((value) => Math.floor(value * 10) === tenth).length - 2000)).toBeLessThan(
        200,
      );
  });
});
