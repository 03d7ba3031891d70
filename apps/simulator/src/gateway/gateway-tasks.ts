import { type CommandName, commandName } from '@headrace/device/commands';
import type { GatewayProfile } from '@headrace/demo/profile';
import type { Send } from '../farm-links.ts';
import type { LiveContext } from '../live-context.ts';
import type { LiveUnits } from '../live-units.ts';
import type { OwnJob, GatewayState } from './gateway-state.ts';
import type { Relays } from './relays.ts';
import { withSettings } from './settings.ts';
import { statusOf } from './status.ts';

/** Carries out what the gateway itself is told. Returns what to do before the answer is said, or why it can't be done. */
export function createGatewayTasks(
  context: LiveContext,
  gateway: GatewayProfile,
  own: GatewayState,
  units: LiveUnits,
  relays: Relays,
  onRestart: () => void,
) {
  const { links, faults, now } = context;

  const reportStatus: Send = () =>
    links.gateways.get(gateway.mac)?.publish('status', statusOf(context, gateway, own, now())) ??
    Promise.resolve();

  /** What it says next waits until it is back and has said hello. */
  const restart: Send = () => {
    onRestart();
    links.gateways.get(gateway.mac)?.restart();
    return Promise.resolve();
  };

  function carryOut({ task }: OwnJob): Send[] | string {
    switch (task.kind) {
      case 'time':
        return setUnitClocks();
      case 'settings':
        return changeSettings(task.config);
      case 'command':
        return command(task.type, task.payload);
      default:
        return task satisfies never;
    }
  }

  /** The list is in memory that needs no power: there is nothing more to do than to have one. */
  const saveList = () => (own.list ? [] : 'the list of units is not loaded');

  const commands: Partial<Record<CommandName, (payload: Record<string, unknown>) => Send[] | string>> = {
    UpdateInc: () => {
      own.firmwareVersion += 1;
      own.lastRestart = now();
      return [restart];
    },
    IncCommStart: startComms,
    IncStatusReq: () => [reportStatus],
    IncSaveIpcList: saveList,
    IncSaveItuList: saveList,
    IncClearStatus: () => {
      own.countedFrom = now();
      return [reportStatus];
    },
    Ping: () => [],
    ToggleIO: toggle,
    IncReconfigure: () => [reportStatus, ...startComms()],
  };

  function command(type: number, payload: Record<string, unknown>): Send[] | string {
    const name = commandName(type);
    const carryOut = name && commands[name];
    return carryOut
      ? carryOut(payload)
      : `${name ?? type} is not sent as a command: see the table in the agreement`;
  }

  /** Every unit in reach says how it is. */
  function startComms(): Send[] {
    return units.macsOf(gateway.mac).flatMap((mac) => units.report(mac, true));
  }

  function setUnitClocks(): Send[] {
    const reached = units.macsOf(gateway.mac).filter(units.isHeard);
    for (const mac of reached) {
      faults.mend(mac, 'clock-drift');
      units.change(mac, (unit, time) => ({ ...unit, clockSetAt: time }));
    }
    return reached.flatMap((mac) => units.report(mac, false));
  }

  function changeSettings(config: Record<string, unknown>): Send[] | string {
    const settings = withSettings(own.settings, config);
    if (typeof settings === 'string') return settings;
    own.settings = settings;
    return [reportStatus];
  }

  function toggle({ relay, set, overriddenAt }: Record<string, unknown>): Send[] | string {
    if (!gateway.io) return 'this gateway has no relays';
    if (typeof relay !== 'number' || !Number.isInteger(relay) || relay < 1 || relay > 6)
      return 'payload.relay must be a whole number from 1 to 6';
    if (typeof set !== 'boolean') return 'payload.set must be true or false';
    if (overriddenAt !== undefined && overriddenAt !== null && typeof overriddenAt !== 'string')
      return 'payload.overriddenAt must be a time or null';
    relays.set(relay, set, overriddenAt);
    return relays.report(true);
  }

  return { carryOut, reportStatus, restart };
}
