import type { Insertable, Selectable } from 'kysely';
import type { AccountTable, AccountTables, ShareTable } from './schema/accounts.ts';
import type { AlertTables } from './schema/alerts.ts';
import type { CommandTables } from './schema/commands.ts';
import type { DeviceTable, FarmTable, FarmTables } from './schema/farms.ts';
import type { MessageTables } from './schema/messages.ts';
import type { ReadingTables } from './schema/readings.ts';
import type { WaterTakeTables } from './schema/water-takes.ts';

/** Every table with its columns, by subject in schema/. What each is for and who writes it: docs/tables.md. */
export interface Database
  extends AccountTables,
    FarmTables,
    CommandTables,
    ReadingTables,
    MessageTables,
    AlertTables,
    WaterTakeTables {}

export type FarmRow = Selectable<FarmTable>;
export type DeviceRow = Selectable<DeviceTable>;
export type DeviceKind = DeviceRow['kind'];
export type NewDevice = Insertable<DeviceTable>;
export type AccountRow = Selectable<AccountTable>;
export type ShareRow = Selectable<ShareTable>;
