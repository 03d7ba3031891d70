import type { IoSettingsDown } from '@headrace/device/downlinks';
import type { GatewayProfile } from '@headrace/demo/profile';
import type { Send } from '../farm-links.ts';
import type { LiveContext } from '../live-context.ts';
import type { LiveSensors } from '../live-sensors.ts';
import { relayLpm, withRelay } from '../sensor-model.ts';
import type { Binding, GatewayState, Relay } from './gateway-state.ts';

const minuteMs = 60_000;
const numbers = [1, 2, 3, 4, 5, 6] as const;

/**
 * Six inputs and six relays of a pump shed. A relay bound to a tank sensor follows its level and lets water into that tank; the gateways of a
 * farm hear the same radio, so it makes no difference which of them passes the sensor's readings on.
 */
export function createRelays(
  context: LiveContext,
  gateway: GatewayProfile,
  own: GatewayState,
  sensors: LiveSensors,
) {
  const { links, state, scheduler, now, modelTime, clockTime, dispatch } = context;
  let lastSaid = '';

  function bindingOf(number: number): (Binding & { sensorMac: string }) | undefined {
    return own.bindings.find(
      (one): one is Binding & { sensorMac: string } => one.relay === number && one.sensorMac !== null,
    );
  }

  function relayOf(number: number): Relay {
    return own.bound[number] ?? { on: false, onSince: 0 };
  }

  function ports(): { inputs: boolean[]; relays: boolean[] } {
    // Asked with every reading of a tank: to ask each of the farm's valves as often would take most of the time.
    const isWatering = state.openUnits.length > 0;
    const isPumping = Object.values(state.sensors).some(
      (sensor) => sensor.kind === 'tank' && sensor.tank.pumpControl && sensor.tank.supplyOn,
    );
    const automatic = [isWatering, isPumping, isWatering, false, false, false];
    const relays = numbers.map((number) =>
      bindingOf(number) ? relayOf(number).on : (own.byHand[number] ?? automatic[number - 1] ?? false),
    );
    return { inputs: [true, relays[0] ?? false, isWatering, false, false, false], relays };
  }

  /** `up/io`; nothing when nothing has changed, unless asked for. */
  function report(always: boolean): Send[] {
    if (!gateway.io) return [];
    const said = ports();
    const text = JSON.stringify(said);
    if (!always && text === lastSaid) return [];
    lastSaid = text;
    const body = { at: new Date(now()).toISOString(), ...said };
    return [() => links.gateways.get(gateway.mac)?.publish('io', body) ?? Promise.resolve()];
  }

  function turn(number: number, on: boolean, ranOut = false): void {
    const binding = bindingOf(number);
    if (!binding) return;
    const was = relayOf(number);
    own.bound[number] = { on, onSince: was.on && on ? was.onSince : modelTime(now()), ranOut };
    if (was.on !== on) fill(binding.sensorMac, on);
    if (on) watchLongestRun(number, binding);
  }

  function fill(sensorMac: string, on: boolean): void {
    const sensor = sensors.find(sensorMac);
    if (sensor) sensors.change(sensorMac, (tank) => withRelay(tank, on ? relayLpm(sensor.profile) : 0));
  }

  /** Off after the longest run, also when it was put on by hand; that ends the pause of its automation too. */
  function watchLongestRun(number: number, { maxOnMinutes }: Binding): void {
    if (maxOnMinutes === 0) return;
    scheduler.add(clockTime(relayOf(number).onSince + maxOnMinutes * minuteMs), () => {
      const binding = bindingOf(number);
      const relay = relayOf(number);
      if (!binding || !relay.on || binding.maxOnMinutes === 0) return;
      if (modelTime(now()) < relay.onSince + binding.maxOnMinutes * minuteMs) return;
      binding.overriddenAt = null;
      turn(number, false, true);
      dispatch(report(false));
    });
  }

  /** A hand decides, until the longest run is over: also where it put the relay off. */
  function isPaused({ overriddenAt, maxOnMinutes }: Binding): boolean {
    if (!overriddenAt) return false;
    const passed = modelTime(now()) - modelTime(Date.parse(overriddenAt));
    return maxOnMinutes === 0 || passed < maxOnMinutes * minuteMs;
  }

  function follow(binding: Binding, levelMm: number): void {
    const { relay: number, onAtOrBelowMm, offAtOrAboveMm } = binding;
    const relay = relayOf(number);
    const isLow = onAtOrBelowMm !== undefined && levelMm <= onAtOrBelowMm;
    if (isPaused(binding)) return;
    if (relay.on && offAtOrAboveMm !== undefined && levelMm >= offAtOrAboveMm) turn(number, false);
    else if (!relay.on && isLow && !relay.ranOut) turn(number, true);
    else if (!relay.on && !isLow && relay.ranOut) turn(number, false);
  }

  function onLevel(sensorMac: string, levelMm: number): void {
    for (const binding of own.bindings) if (binding.sensorMac === sensorMac) follow(binding, levelMm);
    dispatch(report(false));
  }

  function bind({ relays }: IoSettingsDown): void {
    for (const { sensorMac } of own.bindings) if (sensorMac !== null) fill(sensorMac, false);
    const before = own.bound;
    const boundTo = new Map(own.bindings.map(({ relay, sensorMac }) => [relay, sensorMac]));
    own.bindings = relays.map((relay) => ({ ...relay }));
    own.bound = {};
    for (const { relay: number, sensorMac } of own.bindings) {
      if (sensorMac === null) continue;
      const { on, onSince, ranOut } = before[number] ?? { on: false, onSince: 0 };
      // Told again, one that has run its longest must not begin anew.
      const isSame = boundTo.get(number) === sensorMac && ranOut !== undefined;
      own.bound[number] = { on, onSince, ...(isSame && { ranOut }) };
      if (on) turn(number, true);
      fill(sensorMac, on);
      const levelMm = sensors.levelOf(sensorMac);
      if (levelMm !== null) onLevel(sensorMac, levelMm);
    }
    dispatch(report(false));
  }

  return {
    onLevel,
    bind,
    report,
    /** Goes on watching relays that were on before a restart. */
    resume: (): void => {
      for (const binding of own.bindings)
        if (relayOf(binding.relay).on) watchLongestRun(binding.relay, binding);
    },
    /** ToggleIO: `overriddenAt` pauses the automation of a bound relay, `null` ends the pause. */
    set: (number: number, on: boolean, overriddenAt: string | null | undefined): void => {
      const binding = bindingOf(number);
      if (!binding) own.byHand[number] = on;
      else {
        if (overriddenAt !== undefined) binding.overriddenAt = overriddenAt;
        turn(number, on);
      }
    },
  };
}
export type Relays = ReturnType<typeof createRelays>;
