import type { ApiKey } from '@headrace/contract/api';
import { type Endpoint, needOf } from '@headrace/contract/endpoint';
import {
  levels,
  meets,
  ownerPermissions,
  type Permissions,
  presets,
  staffPermissions,
} from '@headrace/contract/permissions';
import type { AccountRow } from '../../db/schema.ts';
import { buildAccountShare, buildFarm, buildShare, buildSupportSession } from '../factories.ts';
import { type TestServer } from '../test-server.ts';
import type { Visitor, World } from './world.ts';

const withShare =
  (permissions: Permissions, endsAt: Date | null = null) =>
  ({ database }: TestServer, { farm }: World, { id }: AccountRow) =>
    buildShare(database.db, farm.id, id, permissions, endsAt);

/** Everyone who may knock. */
export const visitors: Visitor[] = [
  { name: 'the owner', type: 'SUBSCRIBER', permissions: ownerPermissions, isOwner: true },
  ...(
    [
      ['a farm manager', presets.farmManager],
      ['an agent', presets.agent],
      ['a guest', presets.guest],
      ['someone with a share without rights', presets.none],
    ] as const
  ).map(([name, permissions]) => ({
    name,
    type: 'AGENT' as const,
    permissions,
    arrange: withShare(permissions),
  })),
  {
    name: 'someone with whom the whole account is shared',
    type: 'AGENT',
    permissions: { ...presets.agent, farms: levels.Read | levels.Account },
    hasAccount: true,
    arrange: ({ database }, { owner }, { id }) => buildAccountShare(database.db, owner.id, id, presets.agent),
  },
  {
    name: 'someone whose share has ended',
    type: 'AGENT',
    permissions: null,
    arrange: withShare(presets.farmManager, new Date('2026-11-20T20:59:59Z')),
  },
  {
    name: 'the owner of another farm',
    type: 'SUBSCRIBER',
    permissions: null,
    arrange: ({ database }, _world, { id }) => buildFarm(database.db, id),
  },
  { name: 'support staff', type: 'AGENT', isStaff: true, permissions: staffPermissions },
  {
    name: 'support staff in a session',
    type: 'AGENT',
    isStaff: true,
    permissions: presets.farmManager,
    arrange: ({ database, clock }, { farm }, { id }) =>
      buildSupportSession(database.db, farm.id, id, clock.now),
  },
];

/** What is asked for belongs to the owner alone: for others who may call it, it does not exist. */
const ofTheOwner: ReadonlySet<string> = new Set<ApiKey>([
  'POST /resend-invite',
  'POST /revoke-invite',
  'POST /permissions',
  'GET /permissions',
  'PUT /permissions',
  'DELETE /permissions',
]);

/** What a call for any farm and account answers, by its declaration and by whose the things are. */
export function statusWithoutFarm(endpoint: Endpoint, visitor: Visitor): number {
  const { key, needs } = endpoint;
  if ('operator' in needs) return 401;
  if ('staff' in needs && !visitor.isStaff) return 403;
  if ('subscriber' in needs && visitor.type !== 'SUBSCRIBER') return 403;
  if (key === 'POST /farm' && !visitor.isOwner && !visitor.hasAccount) return 403;
  if (key === 'POST /farm/restore' && !visitor.isOwner) return 404;
  if (key === 'POST /accept-invite' && visitor.type !== 'AGENT') return 403;
  if (key === 'DELETE /support/session' && visitor.permissions !== presets.farmManager) return 404;
  if (ofTheOwner.has(key) && !visitor.isOwner) return 404;
  if (endpoint.textError) return 401;
  return endpoint.status ?? 200;
}

export function statusOnFarm(endpoint: Endpoint, visitor: Visitor, body: unknown): number {
  const { permissions } = visitor;
  if (!permissions) return endpoint.emptyStatus ?? 404;
  const isAllowed = [endpoint.needs, needOf(endpoint, body)].every((need) => meets(permissions, need));
  return isAllowed ? (endpoint.status ?? 200) : 403;
}
