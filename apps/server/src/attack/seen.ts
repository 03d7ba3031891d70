import { type SignedIn, type Target, uidsIn } from './target.ts';

/** What an account sees, by its lists. */
export interface Seen {
  readonly farms: readonly string[];
  /** Whatever else has an id. */
  readonly things: readonly string[];
  /** Ids with names: what a change by somebody else would change. */
  readonly names: readonly string[];
}

const FARM_LISTS = ['GET /farms-card', 'GET /farms-summary'];
const OF_A_FARM = [
  'GET /irrigation/devices',
  'GET /gateway/devices',
  'GET /groups',
  'GET /schedule-templates',
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
  const names = new Set(lists.flatMap(({ body }) => namesIn(body)));
  for (const farmUID of farms.slice(0, FARMS))
    for (const key of OF_A_FARM) {
      const { body } = await target.send(key, { query: { farmUID } }, token);
      for (const id of uidsIn(body)) if (!farms.includes(id)) things.add(id);
      for (const name of namesIn(body)) names.add(name);
    }
  return { farms, things: [...things], names: [...names].toSorted() };
}

const ID = /^[0-9a-f]{24}$/;

/** Each object with an id and a name, as one text. */
function namesIn(text: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(text, (_key, value: unknown) => {
      const { name, ...members } = (value ?? {}) as Record<string, unknown>;
      const id = Object.values(members).find((one) => typeof one === 'string' && ID.test(one));
      if (typeof name === 'string' && typeof id === 'string') found.push(`${id} ${name}`);
      return value;
    });
  } catch {
    return []; // A refusal in plain text has none.
  }
  return found;
}
