import { parseArgs, type ParseArgsConfig } from 'node:util';
import { UsageError } from '../usage-error.ts';

const KEEP_MAX = 1000;
type Options = NonNullable<ParseArgsConfig['options']>;

/** @throws UsageError unless it is one file or folder, with these options alone */
export function readArguments(args: string[], options: Options) {
  const { values, positionals } = parse(args, options);
  const [name, ...more] = positionals;
  if (!name || more.length > 0) throw new UsageError('Give one file or folder.');
  return { values, name };
}

function parse(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message.split('. ')[0] : 'Unknown option'}.`);
  }
}

export function howManyToKeep(text: unknown): number {
  const keep = Number(text);
  if (Number.isInteger(keep) && keep >= 1 && keep <= KEEP_MAX) return keep;
  throw new UsageError(`Give --keep a number from 1 to ${KEEP_MAX}.`);
}
