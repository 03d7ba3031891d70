import { commandTypes, ioAckId } from '@headrace/device/commands';
import type { IoSettingsDown, TimeDown } from '@headrace/device/downlinks';
import { gatewayCloses, gatewaySupports } from '@headrace/device/messages';
import type { GatewayDownKind } from '@headrace/device/topics';
import type { GatewayProfile } from '@headrace/demo/profile';
import { hash32 } from '@headrace/demo/random';
import type { FaultKind } from '../faults/fault-kinds.ts';
import { crossed, type LiveContext } from '../live-context.ts';
import type { LiveSensors } from '../live-sensors.ts';
import type { LiveUnits } from '../live-units.ts';
import { noiseAt } from '../models/noise.ts';
import { createAnswers } from './answers.ts';
import { createCommandIntake } from './command-intake.ts';
import { createOwnQueue } from './own-queue.ts';
import { createGatewayClock } from './gateway-clock.ts';
import { bootloaderVersion, freshGateway, type RadioJob, wakeGateway } from './gateway-state.ts';
import { createGatewayTasks } from './gateway-tasks.ts';
import { createOrders } from './orders.ts';
import { createRadio, type UnitReply } from './radio.ts';
import { readDownlink } from './read-downlink.ts';
import { createRelays } from './relays.ts';
import { createScheduleSets } from './schedule-sets.ts';
import { createStarts } from './starts.ts';
import { createUnitList } from './unit-list.ts';
import { createUnitTasks } from './unit-tasks.ts';
import { createVerdicts } from './verdicts.ts';

const portsEveryMs = 15 * 60_000;

/** A farm's gateway: hears what it is told, answers for itself and passes on to its units by radio. All it remembers is in `state.gateways`. */
export function createGateway(
  context: LiveContext,
  gateway: GatewayProfile,
  units: LiveUnits,
  sensors: LiveSensors,
) {
  const { farm, links, state, scheduler, faults, now, modelTime, dispatch, persist, log } = context;
  const { ackDelayMs, unitDelayMs, radioLoss } = context.radio;
  const { mac } = gateway;
  const own = wakeGateway(state.gateways[mac], freshGateway(farm.profile, gateway, now()));
  state.gateways[mac] = own;
  const has = (kind: FaultKind) => faults.get(mac, kind) !== undefined;
  const isPlain = () => has('old-firmware');
  const closesValves = () => has('old-units');
  const clock = createGatewayClock(own, now);
  const link = () => links.gateways.get(mac);
  const answers = createAnswers({
    answered: own.answered,
    clock: clock.now,
    persist,
    dispatch,
    publish: async (ack) => {
      if (!has('no-ack') && !(has('one-done') && answers.isPartial(ack))) await link()?.publish('ack', ack);
    },
  });
  const relays = createRelays(context, gateway, own, sensors);
  const unitTasks = createUnitTasks(context, own, units, sensors);
  const tasks = createGatewayTasks(context, gateway, own, units, relays, onRestart);
  const timing = { scheduler, now, isOver: clock.isOver };
  const radio = createRadio({
    ...timing,
    jobs: own.radio,
    attemptMs: unitDelayMs,
    maxAttempts: () => own.settings.commsMaxAttempts,
    attempt,
    onAnswer: (job, reply) => verdicts.settleUnit(job, reply),
    onSilence: (job) =>
      verdicts.settleUnheard(job, job.lastWord === undefined ? silence(job.attempts) : job.lastWord),
    onTooLate: () => answers.say([]),
  });
  const ownQueue = createOwnQueue({
    ...timing,
    jobs: own.ownJobs,
    delayMs: ackDelayMs,
    carryOut: (job) => verdicts.settle(job, tasks.carryOut(job)),
  });
  const verdicts = createVerdicts(own, answers, radio, () => has('one-done'));
  const orderOf = createOrders(clock, isPlain);
  const starts = createStarts({ own, clock, radio, ownQueue, verdicts, isPlain, closesValves });
  const list = createUnitList(context, mac, own, units, answers);
  const shared = { own, units, faults, answers, verdicts, radio, ownQueue, clock, orderOf, starts, isPlain };
  const commands = createCommandIntake({ ...shared, servedUnits: list.served });
  const sets = createScheduleSets(shared);

  function attempt(job: RadioJob): UnitReply | null {
    if (!isInReach(job)) return null;
    const reply = job.isDone ? units.report(job.mac, false) : unitTasks.carryOut(job);
    // Whatever else the unit did before, and was not heard of, may be undone by this.
    for (const other of own.radio) if (other.mac === job.mac) delete other.isDone;
    job.isDone = true;
    return faults.get(job.mac, 'no-ack') ? null : reply;
  }

  function isInReach({ cmdId, mac: unitMac, attempts, task }: RadioJob): boolean {
    const { value: loss } = faults.get(unitMac, 'radio-loss') ??
      faults.get(mac, 'radio-loss') ?? { value: radioLoss };
    if (noiseAt(hash32(`${cmdId}:${unitMac}`), attempts) < loss) return false;
    if (task.kind === 'config') return isSensorHeard(unitMac);
    // A unit is replaced because it is broken: the new one answers for it.
    const asked = task.kind === 'command' && task.type === commandTypes.Replace ? task.payload.mac : unitMac;
    const place = units.find(unitMac)?.place.unit;
    if (place?.gatewayMac !== mac) return false;
    return asked === unitMac ? units.isHeard(unitMac) : !faults.get(String(asked), 'out-of-contact');
  }

  function isSensorHeard(sensorMac: string): boolean {
    return sensors.find(sensorMac)?.profile.gatewayMac === mac && !faults.get(sensorMac, 'out-of-contact');
  }

  function setTime({ utc, cmdId }: TimeDown): void {
    const isRefused = has('clock-not-set');
    if (!isRefused) clock.set(utc);
    if (cmdId === undefined || answers.repeat(cmdId)) return;
    if (isRefused) return verdicts.settle({ cmdId }, 'the clock could not be set');
    const task = { kind: 'time' as const };
    ownQueue.add({ cmdId, task, ...orderOf(task, {}) });
    verdicts.accept({ cmdId });
  }

  function onRestart(): void {
    clock.lose();
    starts.onRestart();
  }

  /** What faults do as they begin or end. It says hello anew where the server must know: of what it keeps, of its list, that it needs the time. */
  const effects: Partial<Record<FaultKind, (begins: boolean) => void>> = {
    'gateway-down': (begins) => {
      // It comes back as after a power cut.
      if (!begins) onRestart();
      link()?.setDown(begins);
    },
    'clock-not-set': (begins) => {
      if (!begins) return restart();
      clock.lose();
      starts.onTimeLost();
    },
    'list-lost': (begins) => {
      if (begins) loseList();
    },
    'list-not-loaded': () => loseList(),
    'old-firmware': restart,
    'old-units': restart,
  };

  function restart(): void {
    dispatch([tasks.restart, tasks.reportStatus]);
  }

  function loseList(): void {
    own.list = null;
    restart();
  }

  /** A gateway without relays can't keep them. */
  function takeIoSettings(settings: IoSettingsDown): void {
    if (gateway.io) relays.bind(settings);
    if (settings.rev === undefined) return answers.say([]);
    const cmdId = ioAckId(settings.rev);
    answers.giveOnce(
      gateway.io ? { cmdId, state: 'done' } : { cmdId, state: 'failed', error: 'this gateway has no relays' },
    );
  }

  function tick(at: number): void {
    const time = modelTime(at);
    if (own.toldAt === 0 || !hasTold) units.publishAll(mac, at);
    else units.publishDue(mac, at, own.toldAt);
    const isDue = (everyMs: number) => !hasTold || crossed(own.toldAt, time, everyMs, 0);
    dispatch([
      ...(isDue(own.settings.statusPeriod * 1000) ? [tasks.reportStatus] : []),
      ...relays.report(isDue(portsEveryMs)),
    ]);
    hasTold = true;
    own.toldAt = time;
  }
  let hasTold = false;

  return {
    /** Does what it is told. What can't be read is left alone, with a line in the log. */
    handle: (kind: GatewayDownKind, payload: Uint8Array): void => {
      const problem = readDownlink(kind, payload, {
        time: setTime,
        cmd: commands.take,
        config: commands.config,
        list: list.take,
        schedules: sets.take,
        ioSettings: takeIoSettings,
      });
      if (problem) log.warn({ gateway: gateway.name, kind, problem }, 'could not be read');
    },
    /** Goes on with what the run before left. */
    resume: (): void => {
      relays.resume();
      onRestart();
      radio.resume();
      ownQueue.resume();
    },
    /** Regular reports; true when all has been told at least once. */
    tick: (at: number): void => {
      if (link()?.isReady()) tick(at);
    },
    hasTold: () => hasTold,
    onLevel: relays.onLevel,
    onFault: (kind: FaultKind): void => effects[kind]?.(has(kind)),
    about: () => ({
      firmwareVersion: own.firmwareVersion,
      bootloaderVersion,
      listRev: list.rev(),
      ...supportsOf(isPlain(), closesValves()),
    }),
    summary: () => ({
      mac,
      name: gateway.name,
      online: link()?.isReady() ?? false,
      listRev: list.rev(),
      firmwareVersion: own.firmwareVersion,
      waitingForRadio: own.radio.length,
    }),
  };
}
export type Gateway = ReturnType<typeof createGateway>;

function silence(attempts: number): string {
  return `no answer from the unit after ${attempts} attempt${attempts === 1 ? '' : 's'}`;
}

function supportsOf(isPlain: boolean, closesValves: boolean): { supports?: string[] } {
  const words = [...(isPlain ? [] : gatewaySupports), ...(closesValves ? [gatewayCloses] : [])];
  return words.length > 0 ? { supports: words } : {};
}
