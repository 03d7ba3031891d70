/** The lines of PostgreSQL's `postmaster.pid` that we use (its miscinit.h names all eight). */
export interface PostmasterPid {
  pid: number;
  dataDir: string;
  /** Absent until the server has bound its port. */
  port: number | undefined;
  /** 'starting', 'stopping', 'ready' or 'standby'; empty while the file is being written. */
  status: string;
}

const LINE = { pid: 0, dataDir: 1, port: 3, status: 7 } as const;

/** Undefined when the first line isn't a process id: the file is being written, or isn't PostgreSQL's. */
export function parsePostmasterPid(text: string): PostmasterPid | undefined {
  const lines = text.split('\n');
  const pid = positiveInteger(lines[LINE.pid]);
  if (pid === undefined) return undefined;
  return {
    pid,
    dataDir: lines[LINE.dataDir] ?? '',
    port: positiveInteger(lines[LINE.port]),
    status: (lines[LINE.status] ?? '').trim(),
  };
}

function positiveInteger(line: string | undefined): number | undefined {
  // A standalone backend (`postgres --single`) writes its id as a negative number.
  const digits = /^-?(\d{1,10})\s*$/.exec(line ?? '')?.[1];
  return digits === undefined || Number(digits) === 0 ? undefined : Number(digits);
}
