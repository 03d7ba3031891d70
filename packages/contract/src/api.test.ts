import { describe, expect, it } from 'vitest';
import { type ApiKey, endpoints } from './api.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * What the specification's calls take, in its own spelling, which differs from call to call (farmUID, farmUid, uid, fid,
 * farmId). spec 1 §7, spec 2 §7
 */
const queries: Partial<Record<ApiKey, string>> = {
  'GET /account/is-registered': 'email',
  'GET /invite': 'key',
  'GET /permissions': 'key',
  'DELETE /permissions': 'key',
  'GET /farm': 'uid',
  'DELETE /farm': 'farmId accountId',
  'GET /farm/podsinfo': 'uid',
  'GET /farm/groups-and-ipcs-for-repeater': 'farmUID',
  'GET /farm-timezone': 'farmUID',
  'DELETE /irrigation/reset-location': 'farmUID',
  'DELETE /irrigation/reset-all-location': 'farmUID',
  'GET /gateway/devices': 'farmUID',
  'GET /gateway': 'deviceId',
  'DELETE /gateway': 'deviceId',
  'GET /gateway/monitor': 'farmUID mac',
  'GET /irrigation/devices': 'farmUID',
  'GET /irrigation/devices/has-changes': 'farmUID',
  'GET /irrigation/status': 'farmUID',
  'GET /ipc/status': 'farmUID',
  'GET /ipc/search': 'value',
  'GET /ipc/spare-units': 'farmUID',
  'GET /ipc/farm-ipcs-for-repeater': 'farmUID',
  'GET /ipc': 'deviceId',
  'DELETE /ipc': 'deviceId',
  'GET /repeater/devices': 'farmUID',
  'GET /repeater': 'deviceId',
  'DELETE /repeater': 'deviceId',
  'GET /sensor/devices': 'farmUid',
  'GET /sensor': 'deviceId',
  'DELETE /sensor': 'deviceId',
  'GET /sensor/list': 'farmUid type filter',
  'GET /sensor/monitor': 'sensorUid',
  'DELETE /sensor/configupdate': 'deviceId configId',
  'GET /sensor-history/:id': 'id startDate endDate dataType',
  'GET /pois': 'farmUID',
  'GET /poi': 'poiUID',
  'DELETE /poi': 'poiUID',
  'GET /groups': 'farmUID',
  'GET /groups-card': 'fid',
  'GET /group': 'groupId',
  'DELETE /group': 'groupId',
  'GET /group/devices': 'groupId',
  'GET /group/info': 'farmUID name',
  'GET /lvl/suminfo': 'farmUID',
  'GET /lvl/history': 'sensorUid days stopAt',
  'GET /lvl/waterflow': 'sensorId days stopAt',
  'GET /level/full-info': 'sensorUid',
  'GET /level/basic-info': 'farmUid sensorUid',
  'GET /tank/site-info': 'farmUID',
  'GET /tank/battery': 'sensorUid days stopAt',
  'GET /flow/suminfo': 'farmUID',
  'GET /flow/history': 'serial days stopAt',
  'GET /telemetry/sites': 'farmUID',
  'GET /telemetry/soil-moisture': 'farmUID date sensorUID',
  'GET /headline/temperature': 'farmUID site time',
  'GET /headline/accumulated-rainfall': 'farmUID site startDate',
  'GET /headline/rain-forecast-accumulated': 'lat long days',
  'GET /headline/tank': 'sensorUid',
  'GET /headline/tankflow': 'sensorUid sumType metric',
  'GET /headline/flow': 'sensorUID',
  'GET /headline/accumulated-flow': 'sensorUID days',
  'GET /headline/io': 'farmUID',
  'PUT /notification': 'id',
  'DELETE /notification/remove-device': 'id',
  'GET /mac': 'serialNumber type',
  'GET /macgateway': 'serialNumber type',
  'GET /macsensor': 'serialNumber type',
  'GET /mac-test': 'serialNumber',
};
const bodies: Partial<Record<ApiKey, string>> = {
  'POST /account/auth': 'email password',
  'POST /account/auth/passwordless': 'key',
  'POST /account/register':
    'name email password passwordConfirmation notes newsletter mobile countryCode farms',
  'POST /agent/register': 'name email password passwordConfirmation newsletter mobile countryCode',
  'POST /account/change-password': 'currPwd newPwd',
  'POST /account/details': 'name email newsletter mobile countryCode notes',
  'POST /analytics/page-view': 'key',
  'POST /accept-invite': 'key',
  'POST /reject-invite': 'key',
  'POST /resend-invite': 'key',
  'POST /revoke-invite': 'key',
  'POST /permissions': 'contacts farms isAccountShare template permissions',
  'PUT /permissions': 'key template permissions',
  'POST /farm-timezone': 'farmUID',
  'PUT /farm-timezone': 'farmUID dstEnabled',
  'POST /gateway/iosettings': 'farmUID ioSettings',
  'PUT /ipc/flag-as-spare': 'deviceId status',
  'PUT /ipc/flag-as-part-sprinkler': 'deviceId status',
  'PUT /ipc/flag-reconfigure': 'deviceId status',
  'PUT /placeholder/convert-to-placeholder': 'deviceId',
  'PUT /placeholder/convert-to-poi': 'deviceId',
  'PUT /placeholder/return-to-service': 'deviceId',
  'PUT /ipc/last-farmid-and-channel': 'farmUID',
  'POST /ipc/replace-battery': 'ipcUID',
  'POST /ipc/reset-schedules-index': 'farmUID',
  'POST /repeater/replace-battery': 'rptrUID',
  'POST /sensor/configupdate': 'deviceId sensorType configType config',
  'POST /sensor/settingsupdate': 'sensorUid settings',
  'PUT /group/devices/add': 'groupId ipcs pois',
  'PUT /group/devices/remove': 'groupId ipcs pois',
  'PUT /group/devices/remove-all': 'groupId',
  'POST /commands/send': 'name mac farmUID serialNumber type payload',
  'PUT /notification/settings': 'sendSms sendPush sendEmail sendAction',
  'POST /notification/add-device': 'endpoint expirationTime p256dh auth',
  'PUT /settings': 'data version',
};

const endpointOf = (key: string): Endpoint | undefined => endpoints.find((endpoint) => endpoint.key === key);
const namesOf = (schema: object | undefined): string[] =>
  schema && 'properties' in schema ? Object.keys(schema.properties as object) : [];

describe('what a call takes is spelled as in the specification', () => {
  it.each(Object.entries(queries))('%s?%s', (key, names) => {
    expect(namesOf(endpointOf(key)?.query)).toEqual(expect.arrayContaining(names.split(' ')));
  });

  it.each(Object.entries(bodies))('%s {%s}', (key, names) => {
    expect(namesOf(endpointOf(key)?.body)).toEqual(expect.arrayContaining(names.split(' ')));
  });
});

it('only making a sensor answers 201, all others 200', () => {
  const all: readonly Endpoint[] = endpoints;
  expect(all.filter(({ status = 200 }) => status !== 200).map(({ key }) => key)).toEqual(['POST /sensor']);
});
