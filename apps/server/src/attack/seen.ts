import { type SignedIn, type Target, uidsIn } from './target.ts';

/** What the contract says that calls are about, besides a farm. */
export const kinds = ['device', 'group', 'template', 'alert', 'backup', 'serial'] as const;
export type Kind = (typeof kinds)[number];

interface SignIn {
  readonly id: string;
  /** The browser, which may be signed in more than once. */
  readonly device: string;
}

/** What an account sees, by its lists. */
export interface Seen {
  readonly farms: readonly string[];
  /** Whatever else has an id. */
  readonly things: readonly string[];
  /** Of these by what they are, and serial numbers: a call about a group that is given a gateway's id tries nothing. */
  readonly of: Readonly<Record<Kind, readonly string[]>>;
  /** Where the account itself is signed in. */
  readonly signIns: readonly SignIn[];
  /** Ids with names: what a change by somebody else would change. */
  readonly names: readonly string[];
}

const FARM_LISTS = ['GET /farms-card', 'GET /farms-summary'];
/** With the member of the reply that is the list; none: the reply is. */
const OF_A_FARM: readonly [key: string, kind: Kind, member?: string][] = [
  ['GET /irrigation/devices', 'device', 'ipcs'],
  ['GET /gateway/devices', 'device', 'gateways'],
  ['GET /sensor/devices', 'device', 'sensors'],
  ['GET /groups', 'group', 'groups'],
  ['GET /schedule-templates', 'template', 'schedules'],
  ['GET /alerts', 'alert', 'alerts'],
  ['GET /backup/list', 'backup'],
];
/** Farms whose lists are asked for. */
const FARMS = 3;

/** Throws where it sees no farm: then there is nothing to try. */
export async function seenBy(
  target: Target,
  { token }: Pick<SignedIn, 'token'>,
  email: string,
): Promise<Seen> {
  const lists = await Promise.all(FARM_LISTS.map((key) => target.send(key, {}, token)));
  const farms = [...new Set(lists.flatMap(({ body }) => uidsIn(body)))];
  if (farms.length === 0)
    throw new Error(
      `${email} sees no farm, so there is nothing to try. Make one first, best with a gateway and a sprinkler.`,
    );
  const things = new Set<string>();
  const of: Record<Kind, string[]> = {
    device: [],
    group: [],
    template: [],
    alert: [],
    backup: [],
    serial: [],
  };
  const names = new Set(lists.flatMap(({ body }) => namesIn(body)));
  for (const farmUID of farms.slice(0, FARMS))
    for (const [key, kind, member] of OF_A_FARM) {
      const { body } = await target.send(key, { query: { farmUID } }, token);
      for (const id of uidsIn(body)) if (!farms.includes(id)) things.add(id);
      for (const name of namesIn(body)) names.add(name);
      const rows = rowsOf(body, member);
      of[kind].push(...rows.flatMap(({ _id, id = _id, uid = id }) => (isId(uid) ? [uid] : [])));
      of.serial.push(
        ...rows.flatMap(({ serialNumber: one }) => (typeof one === 'string' && one ? [one] : [])),
      );
    }
  const signIns = rowsOf((await target.send('GET /account/sessions', {}, token)).body, 'sessions').map(
    ({ id, device }) => ({ id: String(id), device: String(device) }),
  );
  return { farms, things: [...things], of, signIns, names: [...names].toSorted() };
}

/** What others see and this account doesn't. */
export function without(seen: Seen, own: Seen): Seen {
  const { farms, things, of } = seen;
  const known = new Set([...own.farms, ...own.things, ...own.of.serial]);
  const strange = (some: readonly string[]) => some.filter((one) => !known.has(one));
  const left = { ...of };
  for (const kind of kinds) left[kind] = strange(of[kind]);
  return { ...seen, farms: strange(farms), things: strange(things), of: left };
}

const ID = /^[0-9a-f]{24}$/;
const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);

type Row = Readonly<Record<string, unknown>>;

/** None where it was refused. */
function rowsOf(text: string, member?: string): Row[] {
  try {
    const reply = JSON.parse(text) as unknown;
    const list = member === undefined ? reply : (reply as Row)[member];
    return Array.isArray(list) ? (list as Row[]) : [];
  } catch {
    return []; // A refusal in plain text has none.
  }
}

/** Each object with an id and a name, as one text. */
function namesIn(text: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(text, (_key, value: unknown) => {
      const { name, ...members } = (value ?? {}) as Record<string, unknown>;
      const id = Object.values(members).find(isId);
      if (typeof name === 'string' && id !== undefined) found.push(`${id} ${name}`);
      return value;
    });
  } catch {
    return []; // A refusal in plain text has none.
  }
  return found;
}
