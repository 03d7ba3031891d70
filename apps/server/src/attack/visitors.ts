import { type Endpoint, needOf } from '@headrace/contract/endpoint';
import {
  meets,
  type Need,
  type Permissions,
  staffPermissions,
  toPermissions,
} from '@headrace/contract/permissions';
import type { Call } from './hostile-calls.ts';
import type { SignedIn, Target } from './target.ts';

export type Role = 'guest' | 'ended' | 'staff';

/** Somebody else who comes to the farm of the first account. */
export interface Visitor extends SignedIn {
  readonly role: Role;
  /** On that farm; null: it is none of theirs. */
  readonly rights: Permissions | null;
}

/** Throws where it isn't who it is said to be: whatever is refused then says nothing. */
export async function visitorOf(
  target: Target,
  role: Role,
  { email, password }: { email: string; password: string },
  farmUID: string,
): Promise<Visitor> {
  const signedIn = await target.signIn(email, password);
  const { body } = await target.send('GET /permissions-list', {}, signedIn.token);
  const { permissions } = JSON.parse(body) as { permissions: { farmUID: string }[] };
  const given = permissions.find((one) => one.farmUID === farmUID);
  const wrong = faultOf(role, signedIn, given !== undefined);
  if (wrong) throw new Error(`${email} ${wrong} Nothing was tried.`);
  if (role === 'staff') return { ...signedIn, role, rights: staffPermissions };
  return { ...signedIn, role, rights: given ? toPermissions(given) : null };
}

function faultOf(role: Role, { isStaff }: SignedIn, hasFarm: boolean): string | null {
  if (role === 'staff') return isStaff ? null : 'is no staff.';
  if (isStaff) return 'is staff, who may look at every farm.';
  if (role === 'guest') return hasFarm ? null : 'has no share of the first farm of the first account.';
  return hasFarm ? 'has a share of the first farm still: end it.' : null;
}

/** Whether the contract lets a visitor make this call about the farm. */
export function mayCall({ type, isStaff, rights }: Visitor, endpoint: Endpoint, { body }: Call): boolean {
  const needs: Need[] = [endpoint.needs, needOf(endpoint, body)];
  return needs.every((need) => {
    if ('operator' in need) return false;
    if ('staff' in need) return isStaff;
    if ('subscriber' in need && type !== 'SUBSCRIBER') return false;
    if (!endpoint.target || 'public' in need) return true;
    return rights !== null && ('subscriber' in need || meets(rights, need));
  });
}
