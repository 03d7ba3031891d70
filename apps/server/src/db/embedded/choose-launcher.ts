import { readIfThere } from './files.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { type Launch, type Owner, wrap } from './launch.ts';
import { type NamedUser, parsePasswd, unprivilegedUser, userToMap } from './passwd.ts';
import { runProgram } from './run-program.ts';

/** How this machine runs PostgreSQL's programs. */
export interface Launcher {
  /** For the log: 'plain', 'setpriv', 'unshare setpriv'… */
  name: string;
  /** Set when the programs run as another user, who must own the cluster. */
  owner: Owner | undefined;
  launch: (program: string) => Launch;
}

/** The kernel sends SIGINT, a fast shutdown, when our process dies in whatever way: no orphan after kill -9. */
const DIE_WITH_US = ['setpriv', '--pdeathsig', 'INT'];

/**
 * PostgreSQL refuses to run as root. A user namespace makes root seem to be somebody else, and files keep their owner, so
 * folders that only root may enter stay usable. Where that is off, a real unprivileged user who then owns the cluster.
 *
 * @param program PostgreSQL's `postgres`, run with `--version` to try each way.
 * @param clusterOwner who owns the cluster that exists; one made as another user stays theirs.
 */
export async function chooseLauncher(program: string, clusterOwner?: Owner): Promise<Launcher> {
  const users = parsePasswd((await readIfThere('/etc/passwd').catch(() => undefined)) ?? '');
  for (const { wrappers, owner } of candidates(users, clusterOwner)) {
    const tried = await runProgram(wrap(wrappers, program, owner), ['--version']);
    if (tried.ok) return launcher(wrappers, owner);
  }
  throw new EmbeddedPostgresError(
    'root',
    'PostgreSQL refuses to run as root and no other way was found here: run Headrace as an ordinary user, or set DATABASE_URL to a PostgreSQL 15 or later of your own.',
  );
}

interface Candidate {
  wrappers: string[];
  owner?: Owner;
}

function candidates(users: NamedUser[], clusterOwner?: Owner): Candidate[] {
  const uid = process.getuid?.();
  const mapped = userNamespace(users);
  if (uid === 0) return rootCandidates(mapped, asOwner(clusterOwner), asOwner(unprivilegedUser(users)));
  const named = uid === undefined || users.length === 0 || users.some((user) => user.uid === uid);
  return [...(named ? [] : mapped), { wrappers: DIE_WITH_US }, { wrappers: [] }];
}

function rootCandidates(mapped: Candidate[], existing: Candidate[], stranger: Candidate[]): Candidate[] {
  return existing.length > 0 ? existing : [...mapped, ...stranger];
}

function userNamespace(users: NamedUser[]): Candidate[] {
  const user = process.platform === 'linux' ? userToMap(users) : undefined;
  if (!user) return [];
  const unshare = ['unshare', '--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`];
  return [{ wrappers: [...unshare, ...DIE_WITH_US] }, { wrappers: unshare }];
}

/** Only on Linux: elsewhere the names in /etc/passwd are not all there is, and nobody has asked for it. */
function asOwner(user: Owner | undefined): Candidate[] {
  if (process.platform !== 'linux' || user === undefined || user.uid === 0) return [];
  const owner = { uid: user.uid, gid: user.gid };
  return [
    { wrappers: DIE_WITH_US, owner },
    { wrappers: [], owner },
  ];
}

function launcher(wrappers: string[], owner: Owner | undefined): Launcher {
  const programs = wrappers.filter((word) => word === 'unshare' || word === 'setpriv');
  const name = [owner ? `uid ${owner.uid}` : '', ...programs].filter((word) => word !== '').join(' ');
  return { name: name || 'plain', owner, launch: (program) => wrap(wrappers, program, owner) };
}
