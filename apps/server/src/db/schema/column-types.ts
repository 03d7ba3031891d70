import type { ColumnType } from 'kysely';

/** jsonb: read parsed, written as text. */
export type Json<T> = ColumnType<T, string | undefined, string>;
export type Time = ColumnType<Date, Date | string, Date | string>;
export type CreatedAt = ColumnType<Date, Date | undefined, Date>;
