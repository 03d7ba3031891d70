import { pino } from 'pino';
import { readConfig } from './config.ts';
import { openDatabaseSource } from './database-source.ts';
import { connectDatabase } from './db/client.ts';
import { runningPostgresUrl } from './db/embedded/running-postgres.ts';
import { migrate } from './db/migrate.ts';
import { commands, helpText, UsageError } from './features/operator/operator-commands.ts';

/** The operator's command line. Works beside a running server (through its database) and without one. */
async function main(): Promise<void> {
  const [name = 'help', ...args] = process.argv.slice(2);
  const command = commands[name];
  if (!command) {
    process.stdout.write(`${helpText()}\n`);
    process.exitCode = name === 'help' ? 0 : 2;
    return;
  }
  const config = readConfig(process.env, [], process.cwd());
  const running = config.databaseUrl ? null : await runningPostgresUrl(config.dataDir);
  const source = running
    ? { url: running, stop: async () => {} }
    : await openDatabaseSource(config, pino({ level: 'silent' }));
  const database = connectDatabase(source.url);
  try {
    await migrate(database.db);
    process.stdout.write(`${await command.run({ db: database.db, now: new Date() }, args)}\n`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nUsage: npm run admin -- ${command.usage}\n`);
    process.exitCode = 2;
  } finally {
    await database.close();
    await source.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
