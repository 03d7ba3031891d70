import { gatewayTypes } from '@headrace/contract/gateway-types';
import type { Gateway } from '@headrace/contract/gateways';
import { rakaia, uid } from '../../testing/fixtures.ts';

/** A gateway for tests; what the test is about is given. */
export const buildGateway = (over: Partial<Gateway> = {}): Gateway => ({
  _id: uid(2001),
  name: 'Shed gateway',
  siteName: '',
  macAddress: '0018B2000A4F',
  serialNumber: 'GW1',
  type: gatewayTypes.INC,
  farmUID: rakaia._id,
  location: { lat: -43.755, lng: 172.01 },
  settings: {},
  info: {},
  latestStatus: [],
  statusTime: null,
  connected: true,
  description: '',
  channel: 0,
  spfactor: 0,
  sync: false,
  version: 1,
  updatedAt: '2026-11-20T21:00:00.000Z',
  ...over,
});
