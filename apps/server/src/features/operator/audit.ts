import { hostname, userInfo } from 'node:os';
import type { Db } from '../../db/client.ts';
import type { Command, OperatorContext } from './command.ts';
import { PartlyDone, UsageError } from './usage-error.ts';

const ARGUMENT_MAX = 200;

/** Runs a command and writes down who did what with which outcome, also when it failed. Secrets are left out. */
export async function runAudited(
  name: string,
  command: Command,
  context: OperatorContext,
  args: string[],
  operator?: string,
): Promise<string> {
  return audited(
    () => command.run(context, args),
    (outcome) => writeAudit(context, { name, command, args, outcome, operator }),
  );
}

/** Runs it, and writes down its outcome, also when it failed. */
export async function audited(
  run: () => Promise<string>,
  write: (outcome: string) => Promise<void>,
): Promise<string> {
  try {
    const answer = await run();
    await write('done');
    return answer;
  } catch (error) {
    await write(outcomeOf(error));
    throw error;
  }
}

interface AuditEntry {
  readonly name: string;
  readonly command: Pick<Command, 'secrets'>;
  readonly args: readonly string[];
  readonly outcome: string;
  readonly operator?: string | undefined;
}

export async function writeAudit(
  { db, now }: Pick<OperatorContext, 'db' | 'now'>,
  { name, command, args, outcome, operator = operatorName() }: AuditEntry,
): Promise<void> {
  await db
    .insertInto('audit')
    .values({ at: now, operator, command: name, ...shown(command, args, outcome) })
    .execute();
}

function outcomeOf(error: unknown): string {
  if (error instanceof UsageError) return `refused: ${error.message.slice(0, ARGUMENT_MAX)}`;
  if (error instanceof PartlyDone)
    return `in part: ${error.message.split('\n', 1)[0]?.slice(0, ARGUMENT_MAX)}`;
  return 'failed';
}

/**
 * Of a command that takes a secret its first argument alone, and only where it was done: that is what it was done to then. Else anything may
 * stand anywhere, and a refusal repeats it: `set-password <password> <e-mail>`.
 */
function shown({ secrets = [] }: Pick<Command, 'secrets'>, args: readonly string[], outcome: string) {
  const words = args.map((word) => word.slice(0, ARGUMENT_MAX));
  if (secrets.length === 0) return { arguments: words.join(' '), outcome };
  const isDone = outcome === 'done';
  const hidden = words.map((word, place) => (isDone && place === 0 ? word : '***'));
  return { arguments: hidden.join(' '), outcome: outcome.split(':', 1)[0] ?? '' };
}

/** As the machine knows this person. */
function operatorName(): string {
  const user = (() => {
    try {
      return userInfo().username;
    } catch {
      return `user ${process.getuid?.() ?? 'unknown'}`; // A container may know a number alone.
    }
  })();
  return `${user}@${hostname()}`;
}

export async function listAudit(db: Db, limit: number): Promise<string> {
  const rows = await db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit).execute();
  const lines = rows.map((row) =>
    [row.at.toISOString(), row.operator, row.command, row.arguments, row.outcome].join('  '),
  );
  return lines.join('\n') || 'Nothing was done by command yet.';
}
