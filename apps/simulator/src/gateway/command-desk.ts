import { commandInfo } from '@headrace/device/commands';
import type { CommandDown, ConfigDown } from '@headrace/device/downlinks';
import { isMac } from '@headrace/device/topics';
import type { Answers } from './answers.ts';
import type { createDesk } from './desk.ts';
import type { CommandTask, DeskJob, RadioJob } from './gateway-state.ts';
import type { Radio, UnitReply } from './radio.ts';

const pingType = 23;
/** IncScheduleAll and RefreshAll mean every unit that the gateway serves when they name none. */
const forAllTypes = [17, 29];
/** A group tells how far it is after so many units. */
const progressEvery = 5;
const notLoaded = 'the list of units is not loaded';
const sensorConfigs = ['D100_PumpControl', 'LegacyTlm_PumpControl', 'D100_FlowReset'];

export type CommandDeskOptions = {
  readonly answers: Answers;
  readonly radio: Radio;
  readonly desk: ReturnType<typeof createDesk>;
  /** The gateway's clock, epoch ms. */
  readonly clock: () => number;
  /** `null` when the gateway has no list of units. */
  readonly servedUnits: () => string[] | null;
};

/** Takes commands and configurations in: each once and in its time, `accepted` at once, then on to the radio or the gateway's own desk. */
export function createCommandDesk({ answers, radio, desk, clock, servedUnits }: CommandDeskOptions) {
  function take(given: CommandDown): void {
    const info = commandInfo(given.type);
    const target = info?.topic === 'cmd' ? info.target : 'gateway';
    const isKnown = answers.isKnown(given.cmdId);
    if (!isKnown && Date.parse(given.expiresAt) <= clock()) return;
    const task = taskOf(given);
    if (isKnown && !answers.isGroup(given.cmdId)) answers.repeat(given.cmdId);
    else if (target === 'units') group(given, task);
    else if (target === 'gateway') ownWork(given, task);
    else oneUnit(given, task);
  }

  function ownWork(given: CommandDown, task: CommandTask): void {
    const job: DeskJob = { cmdId: given.cmdId, mac: given.mac, expiresAt: Date.parse(given.expiresAt), task };
    if (given.type !== pingType) desk.add(job);
    accept(given.cmdId, given.mac);
    // A ping asks whether anybody is there: waiting would be a lie.
    if (given.type === pingType) settle(job, []);
  }

  function oneUnit(given: CommandDown, task: CommandTask): void {
    const { cmdId, mac, expiresAt } = given;
    if (mac === undefined) return fail(cmdId, 'mac is missing: it must name the unit');
    if (servedUnits() === null) return fail(cmdId, notLoaded, mac);
    radio.add([{ cmdId, mac, expiresAt: Date.parse(expiresAt), attempts: 0, task }]);
    accept(cmdId, mac);
  }

  function group(given: CommandDown, task: CommandTask): void {
    const { cmdId, type, payload, expiresAt } = given;
    const served = servedUnits();
    if (served === null) return fail(cmdId, notLoaded);
    const named = payload.macs ?? (forAllTypes.includes(type) ? served : null);
    const macs = Array.isArray(named) ? [...new Set<unknown>(named)] : [];
    if (!areMacs(macs))
      return fail(cmdId, 'payload.macs must name units by 12 or 16 upper-case hex digits each');
    const fresh = answers.takeUnits(cmdId, macs);
    if (fresh.length === 0) return;
    radio.add(fresh.map((mac) => ({ cmdId, mac, expiresAt: Date.parse(expiresAt), attempts: 0, task })));
    accept(cmdId);
  }

  function config(given: ConfigDown): void {
    const { configId: cmdId, mac, configType, config: wanted } = given;
    const expiresAt = given.expiresAt === undefined ? null : Date.parse(given.expiresAt);
    if (answers.repeat(cmdId) || (expiresAt !== null && expiresAt <= clock())) return;
    if (configType === 'IncSettings')
      desk.add({ cmdId, mac, expiresAt, task: { kind: 'settings', config: wanted } });
    else if (sensorConfigs.includes(configType))
      radio.add([
        { cmdId, mac, expiresAt, attempts: 0, task: { kind: 'config', configType, config: wanted } },
      ]);
    else return fail(cmdId, `configType must be one of IncSettings, ${sensorConfigs.join(', ')}`, mac);
    accept(cmdId, mac);
  }

  function accept(cmdId: string, mac?: string): void {
    answers.give({ cmdId, ...(mac !== undefined && { mac }), state: 'accepted' });
  }

  function fail(cmdId: string, error: string, mac?: string): void {
    answers.give({ cmdId, ...(mac !== undefined && { mac }), state: 'failed', error });
  }

  /** The last word on a job: `done` after what it publishes, or why not. */
  function settle({ cmdId, mac }: { cmdId: string; mac?: string }, reply: UnitReply): void {
    const about = { cmdId, ...(mac !== undefined && { mac }) };
    if (typeof reply === 'string') answers.give({ ...about, state: 'failed', error: reply });
    else answers.give({ ...about, state: 'done' }, reply);
  }

  function settleUnit(job: RadioJob, reply: UnitReply): void {
    const { cmdId, mac, task } = job;
    // A set may be sent again for a unit that failed: its answers are not remembered, what the unit holds is.
    if (task.kind === 'schedule') {
      const isDone = typeof reply !== 'string';
      answers.giveOnce(
        { cmdId, mac, ...(isDone ? { state: 'done' } : { state: 'failed', error: reply }) },
        isDone ? reply : [],
      );
      return;
    }
    settle(job, reply);
    tellProgress(cmdId);
  }

  function tellProgress(cmdId: string): void {
    const progress = answers.progressOf(cmdId);
    if (progress && (progress.done % progressEvery === 0 || radio.isEmptyFor(cmdId)))
      answers.give({ cmdId, state: 'progress', ...progress });
  }

  return { take, config, settle, settleUnit, accept };
}

function areMacs(given: readonly unknown[]): given is string[] {
  return given.length > 0 && given.every((mac) => typeof mac === 'string' && isMac(mac));
}

/** What is passed on to a unit: the payload without the names of all the others. */
function taskOf({ type, payload, maxOpenMinutes }: CommandDown): CommandTask {
  const { macs: _macs, ...members } = payload;
  return { kind: 'command', type, payload: members, ...(maxOpenMinutes !== undefined && { maxOpenMinutes }) };
}
