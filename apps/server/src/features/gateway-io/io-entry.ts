import type { IoRelay, IoSettings } from '@headrace/contract/gateway-io';
import { type IoFault, ioFaults, ioPorts, overrideSince } from '@headrace/contract/rules/io-settings';
import type { FieldChange } from '../changes/change-log.ts';
import type { IoTankRow } from './gateway-io.repo.ts';

/**
 * What is stored of what was entered. A member of a relay that isn't given stays as it was. The time of an override is
 * the server's: one that is named stays since when it is, or begins now; null ends it, and so does the end of the binding.
 */
export function entered(before: IoSettings, given: IoSettings, now: Date): IoSettings {
  return Object.fromEntries(
    ioPorts.flatMap((port) => [
      [`input${port}`, { title: given[`input${port}`].title.trim() }],
      [`relay${port}`, relayEntered(before[`relay${port}`], given[`relay${port}`], now)],
    ]),
  ) as IoSettings;
}

function relayEntered(before: IoRelay, given: IoRelay, now: Date): IoRelay {
  const binding = given.binding === undefined ? (before.binding ?? null) : given.binding;
  const relay = {
    title: given.title.trim(),
    binding: binding?.toLowerCase() ?? null,
    maxOnTime: given.maxOnTime === undefined ? (before.maxOnTime ?? 0) : (given.maxOnTime ?? 0),
  };
  const since =
    relay.binding === before.binding ? overrideSince({ ...relay, ...sinceOf(before) }, now.getTime()) : null;
  const isPump = given.isPump ?? before.isPump ?? false;
  return {
    ...relay,
    ...(isPump && { isPump }),
    overriddenAt: relay.binding === null ? null : overrideOf(given, since, now),
  };
}

const sinceOf = ({ overriddenAt }: IoRelay) => ({ overriddenAt: overriddenAt ?? null });

function overrideOf({ overriddenAt }: IoRelay, since: string | null, now: Date): string | null {
  if (overriddenAt === undefined) return since;
  return overriddenAt === null ? null : (since ?? now.toISOString());
}

/** As people read them now: overrides whose time is over are none. */
export function shown(settings: IoSettings, now: number): IoSettings {
  const relays = ioPorts.map((port) => {
    const relay = settings[`relay${port}`];
    return [`relay${port}`, { ...relay, overriddenAt: overrideSince(relay, now) }];
  });
  return {
    ...settings,
    ...(Object.fromEntries(relays) as Pick<IoSettings, `relay${(typeof ioPorts)[number]}`>),
  };
}

export const faultsOf = (settings: IoSettings, tanks: readonly IoTankRow[]): IoFault[] =>
  ioFaults(
    settings,
    tanks.map(({ uid }) => uid),
  );

/** For the log of changes: each title, binding (by the tank's name), longest time and override that differs. */
export function ioChanges(
  before: IoSettings,
  after: IoSettings,
  nameOf: (sensorUid: string) => string,
): FieldChange[] {
  const old = loggedSettings(before, nameOf);
  return Object.entries(loggedSettings(after, nameOf)).flatMap(([field, to]) => {
    const from = old[field] ?? null;
    return from === to ? [] : [{ field, from, to }];
  });
}

function loggedSettings(
  settings: IoSettings,
  nameOf: (sensorUid: string) => string,
): Record<string, unknown> {
  const facts = ioPorts.flatMap((port) => {
    const { title, binding, maxOnTime, overriddenAt, isPump = false } = settings[`relay${port}`];
    return [
      [`input${port}.title`, settings[`input${port}`].title],
      [`relay${port}.title`, title],
      [`relay${port}.binding`, binding ? nameOf(binding) : null],
      [`relay${port}.maxOnTime`, maxOnTime ?? 0],
      [`relay${port}.overriddenAt`, overriddenAt ?? null],
      [`relay${port}.isPump`, isPump],
    ] as [string, unknown][];
  });
  return Object.fromEntries(facts);
}
