/** What one kind of work may take of the database, so that no kind can take all of it. */
export interface DatabaseShare {
  readonly max: number;
  /** How long one waits for a connection, ms. */
  readonly connectMs: number;
  /** Longest statement, ms; 0: as long as it takes. */
  readonly statementMs: number;
  /** How long a statement waits for a lock, ms; 0: as long as it takes. */
  readonly lockMs: number;
}

/** 24 connections a server, besides four for its locks, news and watch. A program that runs beside servers has `alone`. */
export const shares = {
  /** A person waits: soon an answer, or the word that there is none now. */
  calls: { max: 12, connectMs: 5000, statementMs: 15_000, lockMs: 5000 },
  /** What devices say, and whether they may: it is tried again until it is stored. */
  devices: { max: 6, connectMs: 10_000, statementMs: 60_000, lockMs: 30_000 },
  /** Housekeeping and what is sent: two at work, each with its lock. */
  jobs: { max: 6, connectMs: 10_000, statementMs: 60_000, lockMs: 30_000 },
  /** A year of readings may have to be written anew, and none of it waits for a person. */
  migrations: { max: 2, connectMs: 10_000, statementMs: 0, lockMs: 0 },
  alone: { max: 12, connectMs: 10_000, statementMs: 60_000, lockMs: 0 },
} as const satisfies Record<string, DatabaseShare>;
