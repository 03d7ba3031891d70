import { gatewayCloses, gatewaySupports } from '@headrace/device/messages';
import type { GatewayDownKind } from '@headrace/device/topics';
import type { GatewayProfile } from '@headrace/demo/profile';
import type { FaultKind } from '../faults/fault-kinds.ts';
import type { LiveContext } from '../live-context.ts';
import type { LiveSensors } from '../live-sensors.ts';
import type { LiveUnits } from '../live-units.ts';
import { createAnswers } from './answers.ts';
import { createCommandIntake } from './command-intake.ts';
import { faultEffects } from './fault-effects.ts';
import { createOwnSettings } from './own-settings.ts';
import { createOwnQueue } from './own-queue.ts';
import { createGatewayClock } from './gateway-clock.ts';
import { bootloaderVersion, freshGateway, wakeGateway } from './gateway-state.ts';
import { createGatewayTasks } from './gateway-tasks.ts';
import { createOrders } from './orders.ts';
import { createRadio } from './radio.ts';
import { createAttempt } from './radio-attempt.ts';
import { readDownlink } from './read-downlink.ts';
import { createRegularReports } from './regular-reports.ts';
import { createRelays } from './relays.ts';
import { createScheduleSets } from './schedule-sets.ts';
import { createStarts } from './starts.ts';
import { createUnitList } from './unit-list.ts';
import { createUnitTasks } from './unit-tasks.ts';
import { createVerdicts } from './verdicts.ts';

/** A farm's gateway: hears what it is told, answers for itself and passes on to its units by radio. All it remembers is in `state.gateways`. */
export function createGateway(
  context: LiveContext,
  gateway: GatewayProfile,
  units: LiveUnits,
  sensors: LiveSensors,
) {
  const { farm, links, state, scheduler, faults, now, dispatch, persist, log } = context;
  const { ackDelayMs, unitDelayMs } = context.radio;
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
  const attempt = createAttempt(context, { mac, own, units, sensors, carryOut: unitTasks.carryOut });
  const { reportStatus } = tasks;
  const regular = createRegularReports(context, { mac, own, units, relays, reportStatus });
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
  const refusesTime = () => has('clock-not-set');
  const settings = createOwnSettings(context, { ...shared, gateway, relays, refusesTime });

  function onRestart(): void {
    clock.lose();
    starts.onRestart();
  }

  const effects = faultEffects({
    setDown: (isDown) => link()?.setDown(isDown),
    onRestart,
    restart,
    loseTime: () => {
      clock.lose();
      starts.onTimeLost();
    },
    loseList,
  });

  function restart(): void {
    dispatch([tasks.restart, reportStatus]);
  }

  function loseList(): void {
    own.list = null;
    restart();
  }

  return {
    /** Does what it is told. What can't be read is left alone, with a line in the log. */
    handle: (kind: GatewayDownKind, payload: Uint8Array): void => {
      const problem = readDownlink(kind, payload, {
        time: settings.setTime,
        cmd: commands.take,
        config: commands.config,
        list: list.take,
        schedules: sets.take,
        ioSettings: settings.takeIoSettings,
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
      if (link()?.isReady()) regular.tick(at);
    },
    hasReported: regular.hasReported,
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
