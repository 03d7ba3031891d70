import { createAjv } from '../../../create-ajv.ts';

/** Raised when a reader of the version before could misread what is written. */
export const FORMAT_VERSION = 1;
export const HEAD_NAME = 'headrace-backup.json';
export const END_NAME = 'end.json';

/** What the operator should know, in one sentence with the remedy. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** What was asked for was not begun, so it says nothing of the backups that there are. */
export class NotTriedError extends BackupError {
  /** Another run is under way, which says itself how it went. */
  readonly isBusy: boolean;

  constructor(message: string, { isBusy = false } = {}) {
    super(message);
    this.isBusy = isBusy;
  }
}

export interface BackupTable {
  name: string;
  columns: string[];
  /** `2026-11` of a month of history. */
  month?: string;
  /** The column that counts by itself. */
  identity?: string;
}

/** The first entry: what the database was. */
export interface BackupHead {
  product: 'headrace';
  formatVersion: number;
  appVersion: string;
  createdAt: string;
  postgresMajor: number;
  /** The schema's, in the order they ran. */
  migrations: string[];
  /** In an order in which each finds the rows that it refers to. */
  tables: BackupTable[];
}

/** After each table's parts: what they add up to. */
export interface TableSeal {
  rows: number;
  bytes: number;
  /** Of the parts one after the other, hexadecimal. */
  sha256: string;
  /** Where the identity column's counter stands; digits, since it may exceed what a number holds. */
  counter?: { value: string; isUsed: boolean };
}

/** The last entry: without it the backup was cut short. */
export interface BackupEnd {
  tables: number;
  rows: number;
  /** SHA-256 of each file from the data folder, by name. */
  files: Record<string, string>;
}

/** Secrets in the data folder that the database's rows depend on. */
export const keptFiles = ['demo-secret'] as const;
export type KeptFile = (typeof keptFiles)[number];

export const isKeptFile = (name: string): name is KeptFile => (keptFiles as readonly string[]).includes(name);

export const partName = (table: string, part: number) =>
  `tables/${table}/${String(part).padStart(6, '0')}.copy`;
export const sealName = (table: string) => `tables/${table}/seal.json`;
export const fileName = (file: string) => `files/${file}`;

const ajv = createAjv({ strict: false });
const identifier = { type: 'string', pattern: '^[a-z_][a-z0-9_]{0,62}$' };
const count = { type: 'integer', minimum: 0 };
const text = { type: 'string', maxLength: 100 };
const sha256 = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const object = (properties: Record<string, object>, optional: string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const isOurs = ajv.compile<Pick<BackupHead, 'product' | 'formatVersion' | 'appVersion'>>(
  object({
    product: { const: 'headrace' },
    formatVersion: { type: 'integer', minimum: 1 },
    appVersion: text,
  }),
);
const isHead = ajv.compile<BackupHead>(
  object({
    product: { const: 'headrace' },
    formatVersion: { const: FORMAT_VERSION },
    appVersion: text,
    createdAt: text,
    postgresMajor: count,
    migrations: { type: 'array', items: text, minItems: 1, maxItems: 10_000 },
    tables: {
      type: 'array',
      maxItems: 10_000,
      items: object(
        {
          name: identifier,
          columns: { type: 'array', items: identifier, maxItems: 1600 },
          month: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])$' },
          identity: identifier,
        },
        ['month', 'identity'],
      ),
    },
  }),
);
const isSeal = ajv.compile<TableSeal>(
  object(
    {
      rows: count,
      bytes: count,
      sha256,
      counter: object({ value: { type: 'string', pattern: '^\\d{1,19}$' }, isUsed: { type: 'boolean' } }),
    },
    ['counter'],
  ),
);
const isEnd = ajv.compile<BackupEnd>(
  object({ tables: count, rows: count, files: { type: 'object', additionalProperties: sha256 } }),
);

/** @throws BackupError for a file of another program or of a later format */
export function parseHead(body: Buffer): BackupHead | null {
  const value = parse(body);
  if (!isOurs(value)) return null;
  if (value.formatVersion > FORMAT_VERSION) throw newerThanThis(value.appVersion);
  return isHead(value) ? value : null;
}

export function parseSeal(body: Buffer): TableSeal | null {
  const value = parse(body);
  return isSeal(value) ? value : null;
}

export function parseEnd(body: Buffer): BackupEnd | null {
  const value = parse(body);
  return isEnd(value) ? value : null;
}

export function newerThanThis(appVersion: string): NotTriedError {
  return new NotTriedError(
    `This backup was made by Headrace ${appVersion}, which knows more than this one: install that version or a later one, and restore it there.`,
  );
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
