import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Config, readConfig } from './config.ts';
import { openDatabaseSource } from './database-source.ts';
import { connectDatabase } from './db/client.ts';
import { runningPostgresUrl } from './db/embedded/running-postgres.ts';
import { migrate } from './db/migrate.ts';
import { backupCommands } from './features/operator/backup/backup-commands.ts';
import { runBackupAudited } from './features/operator/backup/audited-backup.ts';
import { runAudited } from './features/operator/audit.ts';
import { commands } from './features/operator/operator-commands.ts';
import { operatorTokenOf } from './operator-token.ts';
import { fillSecrets, openlyGiven } from './features/operator/secret-arguments.ts';
import { openRestoredServer } from './restored-server.ts';
import { UsageError } from './features/operator/usage-error.ts';

/** The operator's command line. Works beside a running server (through its database) and without one. */
async function main(): Promise<void> {
  const [name = 'help', ...args] = process.argv.slice(2);
  const command = commands[name] ?? backupCommands[name];
  if (!command) {
    process.stdout.write(`${helpText()}\n`);
    process.exitCode = name === 'help' ? 0 : 2;
    return;
  }
  const config = readConfig(process.env, [], process.cwd());
  try {
    process.stdout.write(`${await run(name, config, args)}\n`);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\nUsage: npm run admin -- ${command.usage}\n`);
    process.exitCode = 2;
  }
}

async function run(name: string, config: Config, args: string[]): Promise<string> {
  const now = new Date();
  const folder = process.env.INIT_CWD ?? process.cwd(); // npm runs us in the repository.
  const backup = backupCommands[name];
  if (backup) {
    return runBackupAudited(
      name,
      backup,
      {
        dataDir: config.dataDir,
        folder,
        now,
        openDatabase: () => openDatabase(config),
        hasDatabase: async () => hasDatabase(config),
        isServerRunning: async () => (await runningUrl(config)) !== null,
        room: () => roomForDatabase(config),
        openServer: (url) => openRestoredServer(url, () => new Date()),
        warn: (sentence) => void process.stderr.write(`${sentence}\n`),
      },
      args,
    );
  }
  const source = await openDatabase(config);
  const database = connectDatabase(source.url);
  try {
    await migrate(database.db);
    const command = commands[name];
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
    const server = { address: ownAddress(config), token: await operatorTokenOf(config) };
    const { db, pool } = database;
    const { rawRetentionDays: retentionDays, usageLimits, secretKey } = config;
    const context = { db, pool, retentionDays, usageLimits, now, publicUrl, server, secretKey, folder };
    const warning = command && openlyGiven(command, args);
    if (warning) process.stderr.write(`${warning}\n`);
    return command ? await runAudited(name, command, context, await fillSecrets(command, args)) : '';
  } finally {
    await database.close();
    await source.stop();
  }
}

async function openDatabase(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  const running = await runningUrl(config);
  return running
    ? { url: running, stop: async () => {} }
    : openDatabaseSource(config, pino({ level: 'silent' }));
}

const hasDatabase = ({ databaseUrl, dataDir }: Config): boolean =>
  databaseUrl !== null || existsSync(join(dataDir, 'postgres', 'PG_VERSION'));

const runningUrl = async ({ databaseUrl, dataDir }: Config): Promise<string | null> =>
  databaseUrl ? null : runningPostgresUrl(dataDir);

/** Of a database on another machine only its operator knows. */
async function roomForDatabase({ databaseUrl, dataDir, disk }: Config): Promise<number | null> {
  if (databaseUrl) return null;
  const { bavail, bsize } = await statfs(join(dataDir, 'postgres'));
  return bavail * bsize - disk.lowBytes;
}

/** Where this machine reaches the server. Null: it takes any port. */
function ownAddress({ host, port }: Config): string | null {
  if (port === 0) return null;
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function helpText(): string {
  const all = [...Object.values(commands), ...Object.values(backupCommands)];
  const lines = all.map(({ usage, does }) => `  ${usage}\n      ${does}`);
  return `npm run admin -- <command>\n\n${lines.join('\n')}`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
