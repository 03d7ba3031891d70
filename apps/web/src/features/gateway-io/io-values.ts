import type { GatewayMonitor, IoSettings } from '@headrace/contract/gateway-io';
import { ioFaults, type IoPort, ioPorts } from '@headrace/contract/rules/io-settings';
import { enteredNumber, type EnteredNumber } from '../../forms/fields.tsx';
import type { Complaints } from '../../forms/use-record-form.ts';
import type { RelayName } from './with-relay.ts';

type InputName = `input${IoPort}`;

/** What the form holds; its fields are named as the rules name what is wrong. */
export type IoValues = Record<`${InputName | RelayName}.title` | `${RelayName}.binding`, string> &
  Record<`${RelayName}.isLinked`, boolean> &
  Record<`${RelayName}.maxOnTime`, EnteredNumber>;

export function valuesOf(settings: IoSettings): IoValues {
  const entries = ioPorts.flatMap((port) => {
    const { title, binding, maxOnTime } = settings[`relay${port}`];
    return [
      [`input${port}.title`, settings[`input${port}`].title],
      [`relay${port}.title`, title],
      [`relay${port}.isLinked`, Boolean(binding)],
      [`relay${port}.binding`, binding ?? ''],
      [`relay${port}.maxOnTime`, maxOnTime ?? 0],
    ];
  });
  return Object.fromEntries(entries) as IoValues;
}

/** What is stored of the form. Overrides are left out: they stay as they are. */
export function settingsOf(values: IoValues): IoSettings {
  const entries = ioPorts.flatMap((port) => {
    const relay: RelayName = `relay${port}`;
    const isLinked = values[`${relay}.isLinked`];
    return [
      [`input${port}`, { title: values[`input${port}.title`].trim() }],
      [
        relay,
        {
          title: values[`${relay}.title`].trim(),
          binding: isLinked ? values[`${relay}.binding`] : null,
          maxOnTime: isLinked ? (enteredNumber(values[`${relay}.maxOnTime`]) ?? 0) : 0,
        },
      ],
    ];
  });
  return Object.fromEntries(entries) as IoSettings;
}

/** By the rules that the server has too. */
export function complainOfIo(values: IoValues, tanks: GatewayMonitor['tanks']): Complaints {
  const faults = ioFaults(
    settingsOf(values),
    tanks.map(({ _id }) => _id),
  );
  return Object.fromEntries(faults.map(({ field, message }) => [field, message]));
}
