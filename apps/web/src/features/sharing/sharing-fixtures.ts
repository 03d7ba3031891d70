import type { Api } from '@headrace/contract/api';
import { presets, templates } from '@headrace/contract/permissions';
import type { Invite, InviteInfo } from '@headrace/contract/sharing';
import { FakeApi } from '../../testing/fake-api.ts';
import { buildLogin, rakaia, uid } from '../../testing/fixtures.ts';

/** A share with Tama, waiting for an answer, unless said otherwise. */
export const buildInvite = (n: number, over: Partial<Invite> = {}): Invite => ({
  key: uid(7000 + n),
  farmName: rakaia.name,
  farmerName: 'Aroha Ngata',
  agentName: '',
  email: 'tama@headrace.test',
  isAccountShare: false,
  accepted: false,
  rejected: false,
  farmUID: rakaia._id,
  template: templates.Guest,
  sentAt: '2026-11-20T02:00:00.000Z',
  answeredAt: null,
  endsAt: null,
  lastUsedAt: null,
  ...over,
});

export const accepted = (n: number, over: Partial<Invite> = {}): Invite =>
  buildInvite(n, {
    agentName: 'Tama Reid',
    accepted: true,
    answeredAt: '2026-11-20T03:00:00.000Z',
    ...over,
  });

export const agent = buildLogin({
  name: 'Tama Reid',
  email: 'tama@headrace.test',
  token: 'token-of-tama',
  type: 'AGENT',
});
export const suspended = buildLogin({ subscriptionValidUntil: '2026-01-01T00:00:00.000Z' });
export const staff = buildLogin({ isStaff: true });

export const withInvites = (...invites: Invite[]): FakeApi => new FakeApi().on('GET /invites', { invites });

export const INVITE_KEY = 'k'.repeat(43);
export const buildInfo = (over: Partial<InviteInfo> = {}): InviteInfo => ({
  success: true,
  reason: null,
  name: rakaia.name,
  farmer: 'Aroha Ngata',
  icon: rakaia.icon,
  description: rakaia.description,
  farmUID: rakaia._id,
  isAccountShare: false,
  endsAt: null,
  permissions: presets.guest,
  ...over,
});

type AccessEvent = Api['GET /access-log']['reply']['events'][number];
export const buildEvent = (n: number, over: Partial<AccessEvent> = {}): AccessEvent => ({
  id: String(n),
  at: '2026-11-20T02:00:00.000Z',
  what: 'invited',
  farmName: rakaia.name,
  by: 'Aroha Ngata',
  whom: 'Tama Reid',
  note: '',
  ...over,
});
