import { commandInfo, commandTypes } from '@headrace/device/commands';
import type { CommandDown, ConfigDown } from '@headrace/device/downlinks';
import { isMac } from '@headrace/device/topics';
import type { Answers } from './answers.ts';
import type { OwnQueue } from './own-queue.ts';
import type { GatewayClock } from './gateway-clock.ts';
import type { CommandTask, OwnTask, Order, RadioTask } from './gateway-state.ts';
import { type OrderOf, radioJob } from './orders.ts';
import type { Radio } from './radio.ts';
import { isStop, relayKey, type Starts } from './starts.ts';
import type { Verdicts } from './verdicts.ts';

const notLoaded = 'the list of units is not loaded';
const sensorConfigs = ['D100_PumpControl', 'LegacyTlm_PumpControl', 'D100_FlowReset'];

export type CommandIntakeOptions = {
  readonly answers: Answers;
  readonly verdicts: Verdicts;
  readonly radio: Radio;
  readonly ownQueue: OwnQueue;
  readonly clock: GatewayClock;
  readonly orderOf: OrderOf;
  readonly starts: Starts;
  /** `null` when the gateway has no list of units. */
  readonly servedUnits: () => string[] | null;
};

/** A command with what is to be done and when. */
type Taken = { readonly given: CommandDown; readonly task: CommandTask; readonly order: Order };

/** Takes commands and configurations in: each once and in its time, `accepted` at once, then on to the radio or the gateway's own queue. */
export function createCommandIntake(options: CommandIntakeOptions) {
  const { answers, verdicts, radio, ownQueue, clock, orderOf, starts, servedUnits } = options;

  function take(given: CommandDown): void {
    const { cmdId, type } = given;
    const info = commandInfo(type);
    const target = info?.topic === 'cmd' ? info.target : 'gateway';
    const task = taskOf(given);
    const taken = { given, task, order: orderOf(task, given) };
    if (answers.isKnown(cmdId) && !answers.isGroup(cmdId)) answers.repeat(cmdId);
    else if (!answers.isKnown(cmdId) && clock.isOver(taken.order)) return;
    else if (target === 'units') group(taken);
    else if (target === 'gateway') ownWork(taken);
    else oneUnit(taken);
  }

  function ownWork({ given: { cmdId, mac, type }, task, order }: Taken): void {
    const key = relayKey(task);
    const refusal = starts.refusal(task, key, order.seq);
    if (refusal !== null) return fail(cmdId, refusal, mac);
    if (isStop(task)) starts.stop([key], order.seq);
    const job = { ...order, cmdId, mac, task };
    if (type !== commandTypes.Ping) ownQueue.add(job);
    verdicts.accept(job);
    // A ping asks whether anybody is there: waiting would be a lie.
    if (type === commandTypes.Ping) verdicts.settle(job, []);
  }

  function oneUnit({ given: { cmdId, mac }, task, order }: Taken): void {
    if (mac === undefined) return fail(cmdId, 'mac is missing: it must name the unit');
    if (servedUnits() === null && !isStop(task)) return fail(cmdId, notLoaded, mac);
    const refusal = starts.refusal(task, mac, order.seq);
    if (refusal !== null) return fail(cmdId, refusal, mac);
    if (isStop(task)) starts.stop([mac], order.seq);
    radio.add([radioJob({ cmdId, mac, task, order })]);
    verdicts.accept({ cmdId, mac });
  }

  function group({ given: { cmdId, type, payload }, task, order }: Taken): void {
    const served = servedUnits();
    if (served === null && !isStop(task)) return fail(cmdId, notLoaded);
    // RefreshAll means every unit that the gateway serves when it names none.
    const named = payload.macs ?? (type === commandTypes.RefreshAll ? served : null);
    const macs = Array.isArray(named) ? [...new Set<unknown>(named)] : [];
    if (!areMacs(macs))
      return fail(cmdId, 'payload.macs must name units by 12 or 16 upper-case hex digits each');
    const fresh = answers.takeUnits(cmdId, macs);
    if (fresh.length === 0) return;
    if (isStop(task)) starts.stop(fresh, order.seq);
    const jobs = fresh.map((mac) => radioJob({ cmdId, mac, task, order }));
    const refusals = jobs.map(({ mac }) => starts.refusal(task, mac, order.seq));
    const of = (refusal: string | null) => jobs.filter((_job, index) => refusals[index] === refusal);
    radio.add(of(null));
    verdicts.accept({ cmdId });
    for (const refusal of new Set(refusals)) if (refusal !== null) verdicts.settleUnits(of(refusal), refusal);
  }

  function config(given: ConfigDown): void {
    const { configId: cmdId, mac, configType, config: wanted } = given;
    const isOwn = configType === 'IncSettings';
    const task: RadioTask | OwnTask = isOwn
      ? { kind: 'settings', config: wanted }
      : { kind: 'config', configType, config: wanted };
    const order = orderOf(task, given);
    if (answers.repeat(cmdId) || clock.isOver(order)) return;
    if (task.kind === 'settings') ownQueue.add({ ...order, cmdId, mac, task });
    else if (sensorConfigs.includes(configType)) radio.add([radioJob({ cmdId, mac, task, order })]);
    else return fail(cmdId, `configType must be one of IncSettings, ${sensorConfigs.join(', ')}`, mac);
    verdicts.accept({ cmdId, mac });
  }

  function fail(cmdId: string, error: string, mac?: string): void {
    verdicts.settle({ cmdId, ...(mac !== undefined && { mac }) }, error);
  }

  return { take, config };
}

function areMacs(given: readonly unknown[]): given is string[] {
  return given.length > 0 && given.every((mac) => typeof mac === 'string' && isMac(mac));
}

/** What is passed on to a unit: the payload without the names of all the others. */
function taskOf({ type, payload, maxOpenMinutes }: CommandDown): CommandTask {
  const { macs: _macs, ...members } = payload;
  return { kind: 'command', type, payload: members, ...(maxOpenMinutes !== undefined && { maxOpenMinutes }) };
}
