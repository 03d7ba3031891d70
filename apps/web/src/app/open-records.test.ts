import { expect, test } from 'vitest';
import { poiQuery } from '../device-records/pois.queries.ts';
import { repeaterQuery } from '../device-records/repeaters.queries.ts';
import { sensorQuery } from '../device-records/sensors.queries.ts';
import { sprinklerQuery } from '../device-records/sprinklers.queries.ts';
import { farmQuery } from '../farm/farms.queries.ts';
import { alertQuery } from '../features/alerts/alerts.queries.ts';
import { gatewayQuery } from '../features/gateways/gateway.queries.ts';
import { groupQuery } from '../features/groups/groups.queries.ts';
import { templateQuery } from '../features/schedules/templates.queries.ts';

test.each([
  ['farm', farmQuery('1')],
  ['group', groupQuery('1')],
  ['sprinkler', sprinklerQuery('1')],
  ['gateway', gatewayQuery('1')],
  ['repeater', repeaterQuery('1')],
  ['sensor', sensorQuery('1')],
  ['poi', poiQuery('1')],
  ['schedule template', templateQuery('1', '1')],
  ['alert', alertQuery('1')],
])('an open form of a %s hears that somebody else changed one', (kind, { meta }) => {
  expect(meta?.records).toContain(kind);
});
