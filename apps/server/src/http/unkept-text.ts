/** PostgreSQL keeps no NUL, in text (22021) nor in JSON (22P05), and no half of a character in JSON (22P02). */
export function isUnkeptText({ code }: { readonly code?: string }): boolean {
  return code === '22021' || code === '22P05' || code === '22P02';
}

interface Member {
  readonly value: unknown;
  readonly path: string;
}

/**
 * The member that holds such a text, as `address.city`, or '' where the whole is one; null: there is none. Walks a list of
 * what is left instead of calling itself: a body can be nested as deep as it is long.
 */
export function unkeptMember(body: unknown): string | null {
  const left: Member[] = [{ value: body, path: '' }];
  for (let member = left.pop(); member; member = left.pop()) {
    const { value, path } = member;
    if (typeof value === 'string' && isUnkept(value)) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value).toReversed()) {
      if (isUnkept(name)) return path;
      left.push({ value: inner, path: path ? `${path}.${name}` : name });
    }
  }
  return null;
}

const isUnkept = (text: string) => /\0|\p{Cs}/u.test(text);
