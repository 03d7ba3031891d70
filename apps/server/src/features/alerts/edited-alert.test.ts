import { expect, it } from 'vitest';
import { buildRule } from '../../testing/alert-factories.ts';
import { alertStage } from './testing/alert-stage.ts';

const { is, db, at, as } = alertStage();

it('an edit of an alert’s name hides no failed command; one that was off tells of none from before', async () => {
  const uid = await buildRule(db(), is.world.farm.id, {
    kind: 'CommandFailed',
    name: 'Failed',
    condition: 'any',
    value: null,
    hold_min: 0,
    on_since: at(-600),
  });
  is.server.clock.now = at(0);
  const alert = (await is.world.get('GET /alert', { alertUID: uid })).json();
  const { kind, deviceIds, condition, value, holdMinutes } = alert;
  const edit = (over: object) =>
    as(is.ana, 'PUT /alert', { _id: uid, kind, deviceIds, condition, value, holdMinutes, ...over });
  expect((await edit({ enabled: true, name: 'Commands' })).statusCode).toBe(200);
  const row = () =>
    db().selectFrom('alert_rule').select('on_since').where('uid', '=', uid).executeTakeFirstOrThrow();
  expect((await row()).on_since).toEqual(at(-600));
  for (const enabled of [false, true])
    expect((await edit({ enabled, name: 'Commands' })).statusCode).toBe(200);
  expect((await row()).on_since).toEqual(at(0));
});
