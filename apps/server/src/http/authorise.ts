import type { FastifyRequest } from 'fastify';
import { type Endpoint, needOf } from '@headrace/contract/endpoint';
import { meets, type Need } from '@headrace/contract/permissions';
import { isExpired } from '@headrace/contract/rules/subscription';
import { ACCOUNT_SUSPENDED_TEXT, backupNotFoundText, NEW_PASSWORD_TEXT } from '@headrace/contract/texts';
import type { DeviceRow } from '../db/schema.ts';
import {
  type AccessGate,
  type Caller,
  type FarmAccess,
  type Named,
  type NamedKind,
  tokenOf,
} from './access-gate.ts';
import { forbidden, invalid, notFound, unauthenticated } from './errors.ts';

/** Where in a request stands what it is about, and what that is. */
interface Place {
  kind: NamedKind;
  at: { in: 'query' | 'body'; name: string };
}

/** What is known of a call before its handler. */
export interface AccessState {
  caller: Caller | null;
  farm: FarmAccess | null;
  device: DeviceRow | null;
  /** The above is remembered: nothing is answered unless this resolves to true. */
  still: Promise<boolean> | null;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
    /** Of pages outside the contract: content types of a body that is no JSON. */
    takes?: readonly string[];
  }
  interface FastifyRequest {
    access: AccessState;
  }
}

/** What a call asks for, in its path and after it. */
export const asked = (request: FastifyRequest): Record<string, unknown> => ({
  ...(request.query as object),
  ...(request.params as object),
});

/**
 * A GET call names its farm or device in the query. Then one database query, made once the address is validated, finds both the caller
 * and what the call is about.
 */
export const isAskedAtOnce = (endpoint: Endpoint): boolean =>
  endpoint.key.startsWith('GET ') &&
  !('public' in endpoint.needs || 'operator' in endpoint.needs) &&
  placeOf(endpoint, {})?.at.in === 'query';

/** Who calls, where that isn't asked later on. Throws where somebody must have signed in. */
export async function authenticate(request: FastifyRequest, gate: AccessGate, now: Date): Promise<void> {
  request.access = { caller: null, farm: null, device: null, still: null };
  const { endpoint } = request.routeOptions.config;
  // The operator is nobody with an account: the route asks for the token itself.
  if (!endpoint || 'operator' in endpoint.needs) return;
  const token = tokenOf(request.headers.authorization);
  if (token && isAskedAtOnce(endpoint)) return;
  if (token) request.access.caller = await gate.callerOf(token, now);
  if ('public' in endpoint.needs) return;
  if (!request.access.caller) throw unauthenticated();
}

/** Throws if the caller may not do this. False: the thing asked for doesn't exist, and the endpoint answers that with nothing. */
export async function authorise(
  request: FastifyRequest,
  gate: AccessGate,
  now: Date,
  anew = false,
): Promise<boolean> {
  const { endpoint } = request.routeOptions.config;
  if (!endpoint || 'public' in endpoint.needs || 'operator' in endpoint.needs) return true;
  if (isAskedAtOnce(endpoint)) await enter(request, endpoint, gate, { now, anew });
  else if (anew)
    request.access.caller = await gate.callerOf(tokenOf(request.headers.authorization) ?? '', now);
  const { caller } = request.access;
  if (!caller) throw unauthenticated();
  if (caller.mustChangePassword && !endpoint.beforeNewPassword) throw forbidden(NEW_PASSWORD_TEXT);
  if (endpoint.target) {
    if (!isAskedAtOnce(endpoint)) await resolveTarget(request, endpoint, gate, caller, now);
    if (!request.access.farm && endpoint.emptyStatus) return false;
    if (!request.access.farm) throw notFound();
  }
  if (!('anyOf' in endpoint.needs || 'allOf' in endpoint.needs)) {
    checkAccount(caller, endpoint.needs, now);
    return true;
  }
  const { farm } = request.access;
  const needed = [endpoint.needs, needOf(endpoint, request.body)];
  if (!farm || !needed.every((need) => meets(farm.permissions, need))) throw forbidden();
  return true;
}

/** Strangers hear that they are strangers, whatever they asked for. */
async function enter(
  request: FastifyRequest,
  endpoint: Endpoint,
  gate: AccessGate,
  { now, anew }: { now: Date; anew: boolean },
): Promise<void> {
  const token = tokenOf(request.headers.authorization) ?? '';
  const place = placeOf(endpoint, asked(request)) as Place;
  const fault = request.validationError ?? namelessOf(request, endpoint, place);
  if (fault) {
    if (!(await gate.callerOf(token, now))) throw unauthenticated();
    throw fault;
  }
  const named = namedIn(request, endpoint, place);
  let entered = await gate.enter(token, named, now, anew);
  // A file may be on its way before it is whole: who may have it is known first.
  if (endpoint.sends && entered?.still && !(await entered.still))
    entered = await gate.enter(token, named, now, true);
  if (!entered) throw unauthenticated();
  const { caller, farm, device, still = null } = entered;
  request.access = { caller, farm, device, still };
}

/** What an account itself has to be, whatever the farm. */
function checkAccount(caller: Caller, need: Need, now: Date): void {
  if ('staff' in need && !caller.isStaff) throw forbidden();
  if (!('subscriber' in need)) return;
  if (caller.type !== 'SUBSCRIBER') throw forbidden();
  if (need.paying && isExpired(caller.subscriptionValidUntil, now)) throw forbidden(ACCOUNT_SUSPENDED_TEXT);
}

async function resolveTarget(
  request: FastifyRequest,
  endpoint: Endpoint,
  gate: AccessGate,
  caller: Caller,
  now: Date,
): Promise<void> {
  const { target } = endpoint;
  if (target && 'group' in target) {
    const uid = nameIn(request, { kind: 'farm', at: target.group });
    request.access.farm = await gate.farmByGroup(caller, uid, now);
  }
  if (target && 'template' in target) {
    const uid = nameIn(request, { kind: 'farm', at: target.template });
    request.access.farm = await gate.farmByTemplate(caller, uid, now);
  }
  if (target && 'alert' in target) {
    const uid = nameIn(request, { kind: 'farm', at: target.alert });
    request.access.farm = await gate.farmByAlert(caller, uid, now);
  }
  if (target && 'backup' in target) {
    const uid = nameIn(request, { kind: 'farm', at: target.backup });
    request.access.farm = await gate.farmByBackup(caller, uid, now);
    if (!request.access.farm) throw notFound(backupNotFoundText(uid));
  }
  const place = placeOf(endpoint, asked(request));
  if (!place) return;
  const name = nameIn(request, place);
  if (place.kind === 'farm') {
    request.access.farm = await gate.farmByUid(caller, name, now);
    return;
  }
  const found =
    place.kind === 'device'
      ? await gate.deviceByUid(caller, name, now)
      : await gate.deviceBySerial(caller, name, now);
  request.access.farm = found?.farm ?? null;
  request.access.device = found?.device ?? null;
}

function placeOf({ target }: Endpoint, given: Record<string, unknown>): Place | null {
  if (!target || 'group' in target || 'template' in target || 'alert' in target || 'backup' in target)
    return null;
  if ('farm' in target) return { kind: 'farm', at: target.farm };
  if ('device' in target) return { kind: 'device', at: target.device };
  if ('serial' in target) return { kind: 'serial', at: target.serial };
  const { name, serial, in: where } = target.sprinkler;
  return given[name] === undefined && given[serial] !== undefined
    ? { kind: 'sprinkler', at: { in: where, name: serial } }
    : { kind: 'device', at: { in: where, name } };
}

/** Where either of two would do, neither is there. */
function namelessOf(request: FastifyRequest, { target }: Endpoint, { at }: Place): Error | null {
  if (!target || !('sprinkler' in target) || asked(request)[at.name] !== undefined) return null;
  return invalid(`Give ${target.sprinkler.name} or ${target.sprinkler.serial}.`, target.sprinkler.name);
}

const namedIn = (request: FastifyRequest, { needs }: Endpoint, place: Place): Named => ({
  kind: place.kind,
  name: nameIn(request, place),
  // Of several with one serial number the one that is asked for is where the caller may ask.
  ...(place.kind === 'sprinkler' && { need: needs }),
});

function nameIn(request: FastifyRequest, { kind, at }: Place): string {
  const from = at.in === 'body' ? (request.body as Record<string, unknown>) : asked(request);
  const name = String(from[at.name]);
  return kind === 'serial' || kind === 'sprinkler' ? name : name.toLowerCase();
}
