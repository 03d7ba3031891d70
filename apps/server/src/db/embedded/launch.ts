import type { SpawnOptionsWithoutStdio } from 'node:child_process';

/** How a PostgreSQL program is started here: `command ...prefix program args`. */
export interface Launch {
  command: string;
  prefix: string[];
  options: SpawnOptionsWithoutStdio;
}

/** Another user whose program and files these are, when we are root and can't map ourselves. */
export interface Owner {
  uid: number;
  gid: number;
}

/**
 * Own process group, so that Ctrl-C in a terminal reaches our server first, and the database only when the server has
 * finished with it. LC_ALL=C keeps messages English (explain-failure reads them) and macOS from starting threads early.
 * None of our caller's PG* variables get through.
 */
function launchOptions(owner?: Owner): SpawnOptionsWithoutStdio {
  return {
    cwd: '/',
    detached: true,
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    ...owner,
  };
}

/** Puts wrappers (`unshare …`, `setpriv …`) in front of a program; each execs the next, so the pid stays. */
export function wrap(wrappers: string[], program: string, owner?: Owner): Launch {
  const [command, ...prefix] = [...wrappers, program];
  return { command: command ?? program, prefix, options: launchOptions(owner) };
}
