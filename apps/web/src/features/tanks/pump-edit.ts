import { useState } from 'react';
import { BLOCK_PERCENT, MAX_RUN_INPUT_MINUTES, TANK_LOW_LEVEL_PERCENT } from '@headrace/contract/limits';
import { configTypesOf, pumpFaults } from '@headrace/contract/rules/pump-control';
import type { PumpControl, TankInfo } from '@headrace/contract/tanks';
import { enteredNumber, type EnteredNumber } from '../../forms/fields.tsx';
import { isSame } from '../../forms/merge.ts';
import { configFailureText, useConfigUpdate } from './config-update.queries.ts';

/** What can be set of a pump: percent and minutes. */
export interface PumpValues {
  lowSetpoint: number;
  highSetpoint: number;
  relayControl: boolean;
  maxRunTime: EnteredNumber;
}

/** Where the unit has not said a value, the level at which a gateway would switch a relay by itself stands in its place. */
export const pumpValuesOf = (pump: PumpControl | null): PumpValues => ({
  lowSetpoint: pump?.lowSetpoint ?? TANK_LOW_LEVEL_PERCENT,
  highSetpoint: pump?.highSetpoint ?? BLOCK_PERCENT,
  relayControl: pump?.relayControl ?? false,
  maxRunTime: pump?.maxRunTime ?? 0,
});

type PumpErrors = Partial<Record<keyof PumpValues, string>>;

/**
 * One sentence for each field that can't be sent. The field of the run time takes up to 600 minutes; a longer one that
 * the unit has already is left as it is.
 */
export function validatePump(values: PumpValues, stored: PumpValues): PumpErrors {
  const entered = enteredNumber(values.maxRunTime);
  const maxRunTime = entered ?? Number.NaN;
  const fieldErrors: PumpErrors = Object.fromEntries(
    pumpFaults({ ...values, maxRunTime }).map(({ field, message }) => [field, message]),
  );
  if (!fieldErrors.maxRunTime && !isSame(values.maxRunTime, stored.maxRunTime) && isTooLong(maxRunTime))
    fieldErrors.maxRunTime = `The max run time must be at most ${MAX_RUN_INPUT_MINUTES} minutes.`;
  return fieldErrors;
}
const isTooLong = (minutes: number) => minutes > MAX_RUN_INPUT_MINUTES;

/** A pump's settings as they are edited in the dialog; `isPending`: something differs from what the unit has. */
export interface PumpEdit {
  values: PumpValues;
  fieldErrors: PumpErrors;
  isPending: boolean;
  isSending: boolean;
  failure: string | null;
  patch: (change: Partial<PumpValues>) => void;
  send: () => void;
}

/** Edits stay pending until they were taken for sending; a failure keeps them. */
export function usePumpEdit(info: TankInfo | undefined): PumpEdit {
  const stored = pumpValuesOf(info?.pumpControl ?? null);
  const [edited, setEdited] = useState<Partial<PumpValues>>({});
  const update = useConfigUpdate();
  const values = { ...stored, ...edited };
  const fieldErrors = validatePump(values, stored);
  const isPending = !isSame(values, stored);
  const send = () => {
    const configType = info && configTypesOf(info.type)[0];
    const isReady = isPending && !update.isPending && Object.keys(fieldErrors).length === 0;
    if (!isReady || !info || configType === undefined) return;
    const config = { ...values, maxRunTime: enteredNumber(values.maxRunTime) ?? 0 };
    update.mutate(
      { tank: info, configType: configType as 1, config },
      {
        onSuccess: () => setEdited({}),
        // oxlint-disable-next-line no-console
        onError: (error) => console.error('An error occurred', error),
      },
    );
  };
  return {
    values,
    fieldErrors,
    isPending,
    isSending: update.isPending,
    // The specification is silent here; a farmer who isn't told would think that it was done.
    failure: update.isError ? configFailureText(update.error, 'create') : null,
    patch: (change) => {
      if (update.isPending) return;
      update.reset();
      setEdited((before) => ({ ...before, ...change }));
    },
    send,
  };
}
