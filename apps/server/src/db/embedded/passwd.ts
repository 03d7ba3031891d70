import type { Owner } from './launch.ts';

export interface NamedUser extends Owner {
  name: string;
}

/** The users of an /etc/passwd text. */
export function parsePasswd(text: string): NamedUser[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

/**
 * Whom to seem to be inside a user namespace. Nothing outside sees it, but initdb wants a uid that has a name, and a bare
 * container may have no 1000.
 */
export function userToMap(users: NamedUser[]): NamedUser | undefined {
  return users.find(({ uid }) => uid === 1000) ?? unprivilegedUser(users);
}

/** Whom root hands the database to when user namespaces are off. */
export function unprivilegedUser(users: NamedUser[]): NamedUser | undefined {
  const byName = (wanted: string) => users.find(({ name, uid }) => name === wanted && uid !== 0);
  return byName('postgres') ?? byName('nobody') ?? users.find(({ uid }) => uid !== 0);
}
