import { checker } from '@headrace/device/check';
import { type CommandName, commandName, commandTypes } from '@headrace/device/commands';
import { PumpControlConfig } from '@headrace/device/messages';
import { isMac } from '@headrace/device/topics';
import type { Send } from '../farm-links.ts';
import type { LiveContext } from '../live-context.ts';
import type { LiveSensors } from '../live-sensors.ts';
import type { LiveUnits } from '../live-units.ts';
import { commsModes, type UnitState } from '../models/sprinkler.ts';
import type { CommandTask, GatewayState, HeldSchedule, RadioJob } from './gateway-state.ts';

const checkPumpControl = checker(PumpControlConfig);
const minuteMs = 60_000;
/** A valve that was shut by hand stays shut until the shift is over. */
const shutForMs = 180 * minuteMs;
const usualOpenMinutes = 60;
/** A unit that was put in place speaks a while later. */
const firstReportMs = 5000;

type Change = (unit: UnitState, time: number) => UnitState;
/** What a command does to a unit; `null`: it only tells how it is; a sentence: why it can't be done. */
type ChangeOf = (mac: string, task: CommandTask) => Change | null | string;

/** Carries out what a unit or a sensor was told by radio. Returns what to publish before the answer, or why it can't be done. */
export function createUnitTasks(
  context: LiveContext,
  own: GatewayState,
  units: LiveUnits,
  sensors: LiveSensors,
) {
  const { faults, scheduler, now, dispatch } = context;

  function carryOut({ mac, task }: RadioJob): Send[] | string {
    switch (task.kind) {
      case 'schedule':
        return hold(mac, task);
      case 'config':
        return configure(mac, task.configType, task.config);
      case 'command':
        return command(mac, task);
      default:
        return task satisfies never;
    }
  }

  function command(mac: string, task: CommandTask): Send[] | string {
    if (task.type === commandTypes.Replace) return replace(mac, task.payload);
    const change = changeOf(mac, task);
    if (typeof change === 'string') return change;
    if (change) units.change(mac, change);
    return units.report(mac, change === null);
  }

  function replace(mac: string, payload: Record<string, unknown>): Send[] | string {
    const { mac: newMac, serialNumber } = payload;
    if (typeof newMac !== 'string' || !isMac(newMac))
      return 'payload.mac must be the new unit: 12 or 16 upper-case hex digits';
    if (typeof serialNumber !== 'string' || serialNumber === '')
      return "payload.serialNumber must be the new unit's";
    units.replace(mac, { mac: newMac, serialNumber });
    for (const listed of [own.list?.ipcs ?? {}, own.schedules] as Record<string, unknown>[]) {
      if (listed[mac] === undefined) continue;
      listed[newMac] = listed[mac];
      delete listed[mac];
    }
    // The server takes it for this farm's when it has heard that it is done; what it says before would be set aside.
    scheduler.add(now() + firstReportMs, () => dispatch(units.report(newMac, false)));
    return [];
  }

  function hold(mac: string, { crc, entries, cycleLength }: HeldSchedule): Send[] {
    faults.mend(mac, 'schedule-mismatch');
    const schedule = { crc, entries, cycleLength };
    units.change(mac, ({ inhibited: _inhibited, ...unit }) => ({ ...unit, schedule }));
    return units.report(mac, false);
  }

  const report = () => null;
  const open: ChangeOf =
    (_mac, { maxOpenMinutes = usualOpenMinutes }) =>
    ({ shutUntil: _shut, ...unit }, time) => ({
      ...unit,
      openedAt: time,
      openUntil: time + maxOpenMinutes * minuteMs,
    });
  const shut: ChangeOf =
    () =>
    ({ openUntil: _open, ...unit }, time) => ({ ...unit, shutUntil: time + shutForMs });
  const inhibit: ChangeOf =
    () =>
    ({ openUntil: _open, ...unit }) => ({ ...unit, inhibited: true });
  const uninhibit: ChangeOf =
    () =>
    ({ inhibited: _inhibited, ...unit }) =>
      unit;
  /** Configured anew: as the list of units has it. */
  const reconfigure: ChangeOf = (mac) =>
    withMode(commsModes[own.list?.ipcs[mac]?.commsMode ?? 0], 'the list of units has no commsMode for it');
  const changeMode: ChangeOf = (_mac, { payload }) => {
    if (payload.name !== 'Mode') return 'payload.name must be Mode';
    const mode = commsModes.find((one) => one === payload.value);
    return withMode(mode, `payload.value must be one of ${commsModes.join(', ')}`);
  };

  const changes: Partial<Record<CommandName, ChangeOf>> = {
    Poll: report,
    PollGroup: report,
    RefreshAll: report,
    ValveOn: open,
    TurnGroupValvesOn: open,
    ValveOff: shut,
    TurnGroupValvesOff: shut,
    Inhibit: inhibit,
    InhibitGroup: inhibit,
    Uninhibit: uninhibit,
    UninhibitGroup: uninhibit,
    ChangeGroupComms: (_mac, { payload }) =>
      withMode(commsModes[Number(payload.commsMode)], 'payload.commsMode must be 0, 1 or 2'),
    IpcReconfigure: reconfigure,
    ReconfigureGroup: reconfigure,
    IpcUpdate: changeMode,
  };

  const changeOf: ChangeOf = (mac, task) => {
    const name = commandName(task.type);
    const change = name && changes[name];
    return change ? change(mac, task) : `a unit knows no command ${task.type}`;
  };

  function configure(mac: string, configType: string, config: Record<string, unknown>): Send[] | string {
    if (configType === 'D100_FlowReset') return sensors.configure(mac, 'meter-reset');
    const control = checkPumpControl(config, 'config');
    if (!control.ok) return control.reason;
    return sensors.configure(mac, { pump: control.value });
  }

  return { carryOut };
}

function withMode(mode: string | undefined, otherwise: string): Change | string {
  return mode === undefined ? otherwise : (unit) => ({ ...unit, mode });
}
