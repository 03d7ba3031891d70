import { commandName, commandTitles } from '@headrace/contract/command-types';
import type { Command, CommandUnit } from '@headrace/contract/commands';
import { isAllBehind } from '@headrace/contract/rules/behind';
import type { CommandOfUnit } from '@headrace/contract/sprinkler-info';
import { doneOf, hadItOf, isLive, totalOf } from './command-life.ts';
import { messageOf } from './command-message.ts';
import type { OfDevice } from './device-commands.ts';
import { finishTimes } from './finish.ts';
import type { CommandRow, UnitRow } from './read-commands.ts';
import { whyStillOpen } from './valve-close.ts';

export function toCommand(row: CommandRow): Command {
  const name = commandName(row.type);
  const title = name ? commandTitles[name] : String(row.type);
  const progress =
    row.progressDone !== null && row.progressTotal !== null
      ? { done: row.progressDone, total: row.progressTotal }
      : null;
  return {
    _id: row.uid,
    farmUID: row.farmUid,
    type: row.type,
    title,
    name: row.name,
    serialNumber: row.serialNumber,
    groupUID: row.groupUid,
    sentBy: row.sentBy,
    cancelledBy: row.cancelledBy,
    isAutomatic: row.isAutomatic,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    state: row.state,
    stateAt: row.stateAt.toISOString(),
    total: totalOf(row.counts),
    done: doneOf(row.counts) - row.heldBack,
    hadIt: hadItOf(row.counts, row.heldBack),
    leftOut: row.heldBack,
    failed: row.counts.failed ?? 0,
    waiting: row.waiting,
    behind: row.behind,
    message: messageOf({ ...row, title, progress, isBehind: isAllBehind(row.behind) }),
    maxOpenMinutes: row.maxOpenMinutes,
    // Reckoned with those that it was cancelled for, it is none any more.
    finish: isLive(row.counts) && !row.counts.cancelled ? finishTimes(row.finish) : null,
    firstFinish: finishTimes(row.firstFinish),
  };
}

export const toOfUnit = ({ command, unit }: OfDevice, now: Date): CommandOfUnit => ({
  command: toCommand(command),
  unit: toUnit(unit, now),
});

export function toUnit(row: UnitRow, now: Date): CommandUnit {
  const { uid, name, serialNumber, state, note, isLeftOut } = row;
  const waitsUntil = row.waitsUntil?.toISOString() ?? null;
  const at = row.at.toISOString();
  return { uid, name, serialNumber, state, at, note, isLeftOut, waitsUntil, valve: toValve(row, now) };
}

function toValve({ openedAt, closesBy, closedAt, closedWhy }: UnitRow, now: Date): CommandUnit['valve'] {
  if (!openedAt || !closesBy) return null;
  return {
    openedAt: openedAt.toISOString(),
    closesBy: closesBy.toISOString(),
    closedAt: closedAt?.toISOString() ?? null,
    why: closedWhy ?? whyStillOpen(closesBy, now),
  };
}
