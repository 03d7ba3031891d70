import { ioAckId, listAckId } from '@headrace/device/commands';
import type { IoSettingsDown, IpcListDown, TimeDown } from '@headrace/device/downlinks';
import type { GatewayDownKind } from '@headrace/device/topics';
import type { GatewayProfile } from '@headrace/demo/profile';
import { hash32 } from '@headrace/demo/random';
import type { FaultKind } from '../faults/fault-kinds.ts';
import { crossed, type LiveContext } from '../live-context.ts';
import type { LiveSensors } from '../live-sensors.ts';
import type { LiveUnits } from '../live-units.ts';
import { noiseAt } from '../models/noise.ts';
import { createAnswers } from './answers.ts';
import { createCommandDesk } from './command-desk.ts';
import { createDesk } from './desk.ts';
import { bootloaderVersion, freshGateway, type RadioJob } from './gateway-state.ts';
import { createGatewayTasks } from './gateway-tasks.ts';
import { createParts } from './parts.ts';
import { createRadio, type UnitReply } from './radio.ts';
import { readDownlink } from './read-downlink.ts';
import { createRelays } from './relays.ts';
import { createScheduleSets } from './schedule-sets.ts';
import { createUnitTasks } from './unit-tasks.ts';

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
  const own = (state.gateways[mac] ??= freshGateway(farm.profile, gateway, now()));
  const clock = () => now() + own.clockOffsetMs;
  const link = () => links.gateways.get(mac);
  const answers = createAnswers({
    answered: own.answered,
    clock,
    persist,
    dispatch,
    publish: async (ack) => {
      if (!faults.get(mac, 'no-ack')) await link()?.publish('ack', ack);
    },
  });
  const relays = createRelays(context, gateway, own, sensors);
  const unitTasks = createUnitTasks(context, own, units, sensors);
  const tasks = createGatewayTasks(context, gateway, own, units, relays);
  const timing = { scheduler, now, clock };
  const radio = createRadio({
    ...timing,
    jobs: own.radio,
    attemptMs: unitDelayMs,
    maxAttempts: () => own.settings.commsMaxAttempts,
    attempt,
    onAnswer: (job, reply) => commands.settleUnit(job, reply),
    onSilence: (job) => commands.settleUnit(job, silence(job.attempts)),
    onTooLate: () => answers.say([]),
  });
  const desk = createDesk({
    ...timing,
    jobs: own.desk,
    delayMs: ackDelayMs,
    carryOut: (job) => commands.settle(job, tasks.carryOut(job)),
  });
  const commands = createCommandDesk({ answers, radio, desk, clock, servedUnits });
  const sets = createScheduleSets(own, units, faults, answers, radio);
  const listParts = createParts<IpcListDown>();

  function servedUnits(): string[] | null {
    return own.list && Object.keys(own.list.ipcs);
  }

  function listRev(): number {
    return own.list?.rev ?? 0;
  }

  function attempt(job: RadioJob): UnitReply | null {
    if (!isInReach(job)) return null;
    const reply = job.isDone ? units.report(job.mac, false) : unitTasks.carryOut(job);
    job.isDone = true;
    return faults.get(job.mac, 'no-ack') ? null : reply;
  }

  function isInReach({ cmdId, mac: unitMac, attempts, task }: RadioJob): boolean {
    const { value: loss } = faults.get(unitMac, 'radio-loss') ??
      faults.get(mac, 'radio-loss') ?? { value: radioLoss };
    if (noiseAt(hash32(`${cmdId}:${unitMac}`), attempts) < loss) return false;
    if (task.kind === 'config') return isSensorHeard(unitMac);
    // A unit is replaced because it is broken: the new one answers for it.
    const asked = task.kind === 'command' && task.type === 7 ? task.payload.mac : unitMac;
    const place = units.find(unitMac)?.place.unit;
    if (place?.gatewayMac !== mac) return false;
    return asked === unitMac ? units.isHeard(unitMac) : !faults.get(String(asked), 'out-of-contact');
  }

  function isSensorHeard(sensorMac: string): boolean {
    return sensors.find(sensorMac)?.profile.gatewayMac === mac && !faults.get(sensorMac, 'out-of-contact');
  }

  function setTime({ utc, cmdId }: TimeDown): void {
    own.clockOffsetMs = Date.parse(utc) - now();
    if (cmdId === undefined || answers.repeat(cmdId)) return;
    desk.add({ cmdId, expiresAt: null, task: { kind: 'time' } });
    commands.accept(cmdId);
  }

  /** Units that are new to it are heard at once. */
  function takeList(message: IpcListDown): void {
    const { rev } = message;
    if (rev < (own.list?.rev ?? 0)) return;
    const parts = listParts.add(message);
    if (!parts) return;
    const cmdId = listAckId(rev);
    if (faults.get(mac, 'list-not-loaded')) {
      answers.giveOnce({ cmdId, state: 'failed', error: 'the list of units could not be stored' });
      return;
    }
    const ipcs = parts.flatMap((part) => part.ipcs);
    const repeaters = parts.flatMap((part) => part.repeaters);
    const before = own.list;
    own.list = {
      rev,
      ipcs: Object.fromEntries(ipcs.map((unit) => [unit.mac, { commsMode: unit.commsMode }])),
      repeaters: Object.fromEntries(repeaters.map((repeater) => [repeater.mac, true])),
    };
    scheduler.add(now() + ackDelayMs, () => {
      answers.giveOnce({ cmdId, state: 'done' });
      dispatch([
        ...ipcs
          .filter(({ mac: unit }) => !before?.ipcs[unit])
          .flatMap((unit) => units.report(unit.mac, false)),
        ...repeaters
          .filter(({ mac: repeater }) => !before?.repeaters[repeater])
          .flatMap((repeater) => units.reportRepeater(repeater.mac)),
      ]);
    });
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
        list: takeList,
        schedules: sets.take,
        ioSettings: takeIoSettings,
      });
      if (problem) log.warn({ gateway: gateway.name, kind, problem }, 'could not be read');
    },
    /** Goes on with what the run before left. */
    resume: (): void => {
      relays.resume();
      radio.resume();
      desk.resume();
    },
    /** Regular reports; true when all has been told at least once. */
    tick: (at: number): void => {
      if (link()?.isReady()) tick(at);
    },
    hasTold: () => hasTold,
    onLevel: relays.onLevel,
    onFault: (kind: FaultKind): void => {
      if (kind === 'gateway-down') link()?.setDown(faults.get(mac, kind) !== undefined);
      if (kind !== 'list-not-loaded') return;
      own.list = null;
      // It says hello without a list, so that the server knows.
      dispatch([tasks.restart, tasks.reportStatus]);
    },
    about: () => ({ firmwareVersion: own.firmwareVersion, bootloaderVersion, listRev: listRev() }),
    summary: () => ({
      mac,
      name: gateway.name,
      online: link()?.isReady() ?? false,
      listRev: listRev(),
      firmwareVersion: own.firmwareVersion,
      waitingForRadio: own.radio.length,
    }),
  };
}
export type Gateway = ReturnType<typeof createGateway>;

function silence(attempts: number): string {
  return `no answer from the unit after ${attempts} attempt${attempts === 1 ? '' : 's'}`;
}
