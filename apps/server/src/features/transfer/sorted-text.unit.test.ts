import { expect, it } from 'vitest';
import { sortedText } from './sorted-text.ts';

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
  expect(await sortedText(farm)).toBe(
    `{"farm":{"boundary":[{"lat":-2,"lng":1.5}],"name":"Far \\"m\\""},"few":[],"sets":[{"_id":1,"name":"Summer","schedules":[${unitText}]}],"units":[${unitText}]}`,
  );
  const readable = await sortedText(farm, 2);
  expect(readable).toBe(JSON.stringify(JSON.parse(await sortedText(farm)), null, 2));
  expect(readable.split('\n').slice(0, 9)).toEqual([
    '{',
    '  "farm": {',
    '    "boundary": [',
    '      {',
    '        "lat": -2,',
    '        "lng": 1.5',
    '      }',
    '    ],',
    '    "name": "Far \\"m\\""',
  ]);
});
