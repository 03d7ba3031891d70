import type { RestoredServer } from './drill/ask-services.ts';

export interface BackupContext {
  /** The server's data folder, for the secrets in it. */
  dataDir: string;
  /** What relative names are relative to. */
  folder: string;
  now: Date;
  /** The database as it is, not migrated: the running server's, or started for this command. */
  openDatabase(): Promise<{ url: string; stop(): Promise<void> }>;
  /** There is one already: without it `openDatabase` may make it. */
  hasDatabase(): Promise<boolean>;
  /** Of the embedded database; an outside one says by its locks who uses it. */
  isServerRunning(): Promise<boolean>;
  /** Bytes that there are for another database; null: not known. */
  room(): Promise<number | null>;
  /** The services over a database that was restored. */
  openServer(url: string): Promise<RestoredServer>;
  /** Tells what does not keep the command from going on. */
  warn(sentence: string): void;
}

export interface BackupCommand {
  usage: string;
  does: string;
  /** Places of arguments that nobody may read later: none has any. */
  secrets?: readonly number[];
  run(context: BackupContext, args: string[]): Promise<string>;
}

export async function withDatabase<T>(
  context: Pick<BackupContext, 'openDatabase'>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  const source = await context.openDatabase();
  try {
    return await work(source.url);
  } finally {
    await source.stop();
  }
}
