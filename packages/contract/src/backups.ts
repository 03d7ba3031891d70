import Type, { type Static } from 'typebox';
import { defineEndpoint } from './endpoint.ts';
import { BACKUP_DESCRIPTION_MAX } from './limits.ts';
import { flag } from './permissions.ts';
import { mayRestore } from './rules/may-restore.ts';
import { LinesText, LineText, oneOf, Time, Uid } from './schemas.ts';
import { batchId } from './undo.ts';

const tag = 'Files';
const mayLook = { anyOf: [flag('dashboard')] } as const;
const inBody = { farm: { in: 'body', name: 'farmUID' } } as const;

export const Backup = Type.Object({
  _id: Uid,
  desc: Type.String(),
  createdAt: Time,
  by: Type.String({ description: 'name of who made it; empty: by itself, or the account is gone' }),
  automatic: Type.Boolean(),
  bytes: Type.Integer(),
  counts: Type.Object({
    sprinklers: Type.Integer(),
    gateways: Type.Integer(),
    repeaters: Type.Integer(),
    sensors: Type.Integer(),
    pois: Type.Integer(),
    groups: Type.Integer(),
    schedules: Type.Integer(),
    templates: Type.Integer(),
  }),
  changedSince: Type.Integer({
    description: 'records of the farm that were changed since; one that is as it was again counts',
  }),
  provedAt: Type.Union([Time, Type.Null()], {
    description: 'it was restored on trial, and gave the same farm; null: not yet, or it failed',
  }),
  fault: Type.String({ description: 'why it could not be restored on trial; else empty' }),
  tries: Type.Integer({
    description:
      'trials that could not be done, which says nothing of the backup: it is tried again each hour',
  }),
  triedAt: Type.Union([Time, Type.Null()], { description: 'when the last of these was' }),
});
export type Backup = Static<typeof Backup>;

export const listBackups = defineEndpoint({
  key: 'GET /backup/list',
  tag,
  summary: 'Backups of the configuration of a farm, the newest first',
  needs: mayLook,
  target: { farm: { in: 'query', name: 'farmUID' } },
  query: Type.Object({ farmUID: Uid }),
  reply: Type.Array(Backup),
});

export const createBackup = defineEndpoint({
  key: 'POST /backup',
  once: true,
  tag,
  summary:
    'Back up the configuration of a farm: devices, groups, boundary, schedules, inputs and relays, water takes; no readings of devices, people, keys or alerts. It is restored on trial at once',
  needs: mayRestore,
  perMinute: 10,
  target: inBody,
  body: Type.Object({ farmUID: Uid, desc: LinesText({ maxLength: BACKUP_DESCRIPTION_MAX }) }),
  reply: Backup,
});

/** `stay`: it can't be as it was, `why` says the reason. */
export const restoreActions = ['come back', 'change back', 'take off', 'stay'] as const;
export const RestoreRow = Type.Object({
  kind: Type.String({
    description: 'farm, sprinkler, gateway, repeater, sensor, poi, group, schedule template, …',
  }),
  uid: Uid,
  name: Type.String(),
  action: oneOf(restoreActions),
  fields: Type.Array(Type.Object({ field: Type.String(), from: Type.Unknown(), to: Type.Unknown() })),
  why: Type.String(),
});
export type RestoreRow = Static<typeof RestoreRow>;

export const RestorePlan = Type.Object({
  revision: Type.String({ description: 'of the farm: what was planned is done only while it stays' }),
  desc: Type.String(),
  createdAt: Time,
  counts: Type.Object({
    'come back': Type.Integer(),
    'change back': Type.Integer(),
    'take off': Type.Integer(),
    stay: Type.Integer(),
  }),
  rows: Type.Array(RestoreRow),
});
export type RestorePlan = Static<typeof RestorePlan>;

export const planRestore = defineEndpoint({
  key: 'POST /backup/plan',
  tag,
  summary: 'What restoring a backup would do, record by record. Nothing is written',
  needs: mayRestore,
  perMinute: 20,
  target: inBody,
  body: Type.Object({ farmUID: Uid, bakUID: Uid }),
  reply: RestorePlan,
});

export const restoreBackup = defineEndpoint({
  key: 'PUT /backup/restore',
  tag,
  summary:
    'Bring the configuration of a farm back as it was, all or nothing; a backup of now is made first. 409 with the new plan as `current` when the farm has another `revision`. It can be undone with `batchId`',
  needs: mayRestore,
  perMinute: 10,
  target: inBody,
  body: Type.Object({
    farmUID: Uid,
    bakUID: Uid,
    revision: Type.Optional(LineText({ maxLength: 64 })),
  }),
  reply: Type.Object({ success: Type.Boolean(), restored: Type.Integer(), stayed: Type.Integer(), batchId }),
});

export const deleteBackup = defineEndpoint({
  key: 'DELETE /backup',
  tag,
  summary: 'Delete a backup, for good',
  needs: mayRestore,
  target: { backup: { in: 'query', name: 'bakUID' } },
  query: Type.Object({ bakUID: Uid }),
  reply: Type.Object({ deleted: Type.Boolean() }),
});
