import type { IoRelay, IoSettings } from '@headrace/contract/gateway-io';
import { ioPorts, type IoPort, overrideSince, relayThresholds } from '@headrace/contract/rules/io-settings';
import { isOutOfContact, levelPercent, tankShape } from '@headrace/contract/rules/tank';
import type { IoSettingsDown } from '@headrace/device/downlinks';
import type { IoTankRow } from './gateway-io.repo.ts';

type RelayDown = IoSettingsDown['relays'][number];

/** A binding that ended because its sensor is gone. */
export interface EndedBinding {
  readonly port: IoPort;
  readonly sensorUid: string;
}

/** The settings without bindings to sensors that are gone, and which those were. */
export function withoutGone(
  settings: IoSettings,
  tanks: readonly IoTankRow[],
): { settings: IoSettings; ended: EndedBinding[] } {
  const known = new Set(tanks.map(({ uid }) => uid));
  const ended = ioPorts.flatMap((port) => {
    const { binding } = settings[`relay${port}`];
    return binding && !known.has(binding) ? [{ port, sensorUid: binding }] : [];
  });
  const freed = Object.fromEntries(
    ended.map(({ port }) => [
      `relay${port}`,
      { ...settings[`relay${port}`], binding: null, overriddenAt: null },
    ]),
  );
  return { settings: { ...settings, ...freed }, ended };
}

/** What a gateway is told of its relays, in the order of their numbers: the same for the same settings and tanks. */
export function relaysDown(settings: IoSettings, tanks: readonly IoTankRow[]): RelayDown[] {
  return ioPorts.map((port) => relayDown(port, settings[`relay${port}`], tanks));
}

function relayDown(relay: IoPort, settings: IoRelay, tanks: readonly IoTankRow[]): RelayDown {
  const tank = tanks.find(({ uid }) => uid === settings.binding);
  const maxOnMinutes = settings.maxOnTime ?? 0;
  if (!tank) return { relay, sensorMac: null, maxOnMinutes };
  return {
    relay,
    sensorMac: tank.mac,
    ...relayThresholds(tankShape(tank.settings), tank),
    maxOnMinutes,
    overriddenAt: settings.overriddenAt ?? null,
  };
}

/** The message as it goes out `now` (epoch ms): an override whose time is over is none any more. */
export function messageOf(rev: number, told: string, now: number): IoSettingsDown {
  const relays = (JSON.parse(told) as RelayDown[]).map((relay) => ({
    ...relay,
    ...(relay.overriddenAt && {
      overriddenAt: overrideSince(
        { binding: relay.sensorMac, overriddenAt: relay.overriddenAt, maxOnTime: relay.maxOnMinutes },
        now,
      ),
    }),
  }));
  return { rev, relays };
}

/** Percent as known now: null when the sensor is silent for three hours or says what can't be. */
export function levelNow(tank: IoTankRow, now: number): { level: number | null; invalid: boolean } {
  if (tank.levelAt === null) return { level: null, invalid: false };
  const level = levelPercent(tankShape(tank.settings), tank.levelMm);
  const isSilent = isOutOfContact(tank.levelAt.getTime(), now);
  return { level: isSilent ? null : level, invalid: level === null };
}
