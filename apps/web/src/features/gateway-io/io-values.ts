import type { GatewayMonitor, IoSettings } from '@headrace/contract/gateway-io';
import { ioFaults, type IoPort, ioPorts } from '@headrace/contract/rules/io-settings';
import type { FieldLabels } from '../../forms/conflict-dialog.tsx';
import { enteredNumber, type EnteredNumber } from '../../forms/fields.tsx';
import type { FieldErrors } from '../../forms/use-record-form.ts';
import type { RelayName } from './with-relay.ts';

type InputName = `input${IoPort}`;

/** What the form holds; its fields are named as the rules name what is wrong. */
export type IoValues = Record<`${InputName | RelayName}.title` | `${RelayName}.binding`, string> &
  Record<`${RelayName}.${'isLinked' | 'isPump'}`, boolean> &
  Record<`${RelayName}.maxOnTime`, EnteredNumber>;

export function valuesOf(settings: IoSettings): IoValues {
  const entries = ioPorts.flatMap((port) => {
    const { title, binding, maxOnTime, isPump = false } = settings[`relay${port}`];
    return [
      [`input${port}.title`, settings[`input${port}`].title],
      [`relay${port}.title`, title],
      [`relay${port}.isPump`, isPump],
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
          isPump: values[`${relay}.isPump`],
          maxOnTime: isLinked ? (enteredNumber(values[`${relay}.maxOnTime`]) ?? 0) : 0,
        },
      ],
    ];
  });
  return Object.fromEntries(entries) as IoSettings;
}

/** The record that a 409 answers with. */
export function readCurrent(current: unknown): { values: IoValues; version: number } {
  const { ioSettings, version } = current as GatewayMonitor;
  return { values: valuesOf(ioSettings), version };
}

/** What the fields are called where two people's versions are compared. */
export function fieldText(tanks: GatewayMonitor['tanks']): FieldLabels<IoValues> {
  const nameOf = (id: string) => tanks.find(({ _id }) => _id === id)?.name ?? (id && 'A tank that is gone');
  const entries = ioPorts.flatMap((port) => [
    [`input${port}.title`, { label: `Input ${port}` }],
    [`relay${port}.title`, { label: `Relay ${port}` }],
    [`relay${port}.isPump`, { label: `Relay ${port} runs the sprinklers' pump` }],
    [`relay${port}.isLinked`, { label: `A tank's level switches relay ${port}` }],
    [`relay${port}.binding`, { label: `Tank of relay ${port}`, text: nameOf }],
    [`relay${port}.maxOnTime`, { label: `Max on time of relay ${port}, min` }],
  ]);
  return Object.fromEntries(entries) as FieldLabels<IoValues>;
}

/** By the rules that the server has too. */
export function validateIo(values: IoValues, tanks: GatewayMonitor['tanks']): FieldErrors {
  const faults = ioFaults(
    settingsOf(values),
    tanks.map(({ _id }) => _id),
  );
  return Object.fromEntries(faults.map(({ field, message }) => [field, message]));
}
