import { expect, it } from 'vitest';
import { snapshotText } from './snapshot.ts';

it('the text of a farm has sorted members, however long its lists are', async () => {
  const units = Array.from({ length: 300 }, (_, n) => ({
    name: `A${n}`,
    _id: n,
    mac: undefined,
    settings: { b: 1, a: null },
  }));
  const sets = [{ name: 'Summer', _id: 1, schedules: units }];
  const farm = {
    units,
    sets,
    farm: { name: 'Far "m"', boundary: [{ lng: 1.5, lat: -2 }] },
    none: undefined,
    few: [],
  };
  const unitText = units.map((_, n) => `{"_id":${n},"name":"A${n}","settings":{"a":null,"b":1}}`).join(',');
  expect(await snapshotText(farm)).toBe(
    `{"farm":{"boundary":[{"lat":-2,"lng":1.5}],"name":"Far \\"m\\""},"few":[],"sets":[{"_id":1,"name":"Summer","schedules":[${unitText}]}],"units":[${unitText}]}`,
  );
});
