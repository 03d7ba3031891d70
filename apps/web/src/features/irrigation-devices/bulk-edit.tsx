import { useState, type ReactNode } from 'react';
import { Button, Checkbox } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ListedUnit } from '@headrace/contract/unit-list';
import { call, errorText, isUnanswered } from '../../api/client.ts';
import { Dialog, Ways } from '../../forms/dialog.tsx';
import { NumberField, SwitchField, TextField } from '../../forms/fields.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { deviceCount, deviceKinds } from '../../device-records/device-kinds.ts';
import { useGatewayChoices, useGroupChoices, useNames } from '../../device-records/choices.queries.ts';
import classes from '../../forms/dialog-content.module.css';
import { offerUndo } from '../changes/undo.ts';
import { CommsModeField } from '../devices/comms-mode-field.tsx';
import { GatewayField } from '../devices/gateway-field.tsx';
import { GroupField } from '../devices/group-field.tsx';
import { renewDevices } from '../changes/renew.ts';
import {
  BULK_MAX,
  type BulkField,
  bulkFields,
  bulkLabels,
  type BulkValues,
  changesOf,
  validateBulk,
  effects,
} from './bulk-changes.ts';

export interface BulkEditProps {
  farmUID: string;
  chosen: readonly ListedUnit[];
  onDone: () => void;
  onClose: () => void;
}

const first: BulkValues = {
  channel: 1,
  farmId: '01:01',
  commsMode: '1',
  gatewayUID: '',
  isSpareUnit: false,
  isPartSprinkler: false,
  groups: [],
};

/** Changes several sprinklers at once: says what becomes of how many, then does all or nothing. */
export function BulkEdit({ farmUID, chosen, onDone, onClose }: BulkEditProps) {
  const queryClient = useQueryClient();
  const isMobile = useIsMobile();
  const groups = useGroupChoices(farmUID);
  const gateways = useGatewayChoices(farmUID);
  const names = { groups: useNames(groups), gateways: useNames(gateways) };
  const [values, setValues] = useState(() => ({ ...first, ...commonOf(chosen) }));
  const [fields, setFields] = useState<ReadonlySet<BulkField>>(new Set());
  const fieldErrors = validateBulk(values, fields);
  const isFine = fields.size > 0 && Object.keys(fieldErrors).length === 0 && chosen.length <= BULK_MAX;
  const changes = changesOf(values, fields);
  const run = useMutation({
    mutationFn: () =>
      call('POST /ipc/bulk-edit', { body: { farmUID, deviceIds: chosen.map(({ _id }) => _id), changes } }),
    onSuccess: ({ updated, batchId }) => {
      const text = `${deviceCount(updated, deviceKinds.sprinkler)} changed.`;
      offerUndo(queryClient, text, { farmUID, batchId, act: 'bulk edit' });
      void renewDevices(queryClient);
      onClose();
      onDone();
    },
  });
  const patch = (change: Partial<BulkValues>) => setValues({ ...values, ...change });
  const choose = (field: BulkField, isChosen: boolean) => {
    const next = new Set(fields);
    if (isChosen) next.add(field);
    else next.delete(field);
    setFields(next);
  };
  const shown = bulkFields
    .filter((field) => field !== 'groups' || groups.length > 0)
    .filter((field) => field !== 'gatewayUID' || gateways.length > 0);
  return (
    <Dialog
      onClose={onClose}
      title={`Change ${deviceCount(chosen.length, deviceKinds.sprinkler)}`}
      size={620}
      isFullScreen={isMobile}
    >
      <p className={classes.text}>Tick what is to be changed. The rest of each sprinkler stays as it is.</p>
      {shown.map((field) => (
        <Changed
          key={field}
          label={bulkLabels[field]}
          isChosen={fields.has(field)}
          onChoose={(is) => choose(field, is)}
        >
          <Entry field={field} values={values} error={fieldErrors[field]} patch={patch} farmUID={farmUID} />
        </Changed>
      ))}
      {chosen.length > BULK_MAX && <p role="alert">Choose at most {BULK_MAX} at once.</p>}
      {isFine && (
        <div className={classes.effects} role="status">
          <ul>
            {effects(chosen, changes, names).map((effect) => (
              <li key={effect}>{effect}</li>
            ))}
          </ul>
          <p>All are changed, or none.</p>
        </div>
      )}
      {run.isError && (
        <p className={classes.failed} role="alert">
          {failedText(run.error)}
        </p>
      )}
      <Ways>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={!isFine}
          aria-disabled={run.isPending}
          onClick={() => !run.isPending && run.mutate()}
        >
          {run.isPending ? 'Changing…' : `Change ${deviceCount(chosen.length, deviceKinds.sprinkler)}`}
        </Button>
      </Ways>
    </Dialog>
  );
}

/** Where no answer came, it may have been done all the same: again it comes to the same. */
const failedText = (error: unknown) =>
  isUnanswered(error)
    ? `${errorText(error).replace(/\.$/, '')}. Whether they were changed isn't known: press again when the connection is back.`
    : `${errorText(error)} Nothing was changed.`;

/** What all of them have now is what the form begins with. */
function commonOf(chosen: readonly ListedUnit[]): Partial<BulkValues> {
  const [unit] = chosen;
  if (!unit) return {};
  const isCommon = (of: (unit: ListedUnit) => unknown) =>
    chosen.every((other) => JSON.stringify(of(other)) === JSON.stringify(of(unit)));
  return {
    ...(isCommon((one) => one.channel) && { channel: unit.channel }),
    ...(isCommon((one) => one.farmId) && { farmId: unit.farmId }),
    ...(isCommon((one) => one.commsMode) && { commsMode: String(unit.commsMode) }),
    ...(isCommon((one) => one.gatewayUID) && { gatewayUID: unit.gatewayUID ?? '' }),
    ...(isCommon((one) => one.isSpareUnit) && { isSpareUnit: unit.isSpareUnit }),
    ...(isCommon((one) => one.isPartSprinkler) && { isPartSprinkler: unit.isPartSprinkler }),
    ...(isCommon((one) => one.groups) && { groups: unit.groups }),
  };
}

interface ChangedProps {
  label: string;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  children: ReactNode;
}

function Changed({ label, isChosen, onChoose, children }: ChangedProps) {
  return (
    <div className={classes.changed}>
      <Checkbox
        size="md"
        label={label}
        checked={isChosen}
        classNames={{ body: classes.tickBody ?? '' }}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      {isChosen && <div className={classes.entry}>{children}</div>}
    </div>
  );
}

interface EntryProps {
  field: BulkField;
  values: BulkValues;
  error: string | undefined;
  patch: (change: Partial<BulkValues>) => void;
  farmUID: string;
}

function Entry({ field, values, error, patch, farmUID }: EntryProps) {
  const props = {
    name: `bulk-${field}`,
    label: `New ${bulkLabels[field].toLowerCase()}`,
    error,
    onBlur: ignore,
  };
  switch (field) {
    case 'channel':
      return (
        <NumberField
          {...props}
          isWhole
          hint="1 to 9 or 16 to 25"
          value={values.channel}
          onChange={(channel) => patch({ channel })}
        />
      );
    case 'farmId':
      return (
        <TextField
          {...props}
          hint="Like 01:01"
          maxLength={5}
          value={values.farmId}
          onChange={(farmId) => patch({ farmId })}
        />
      );
    case 'commsMode':
      return (
        <CommsModeField {...props} value={values.commsMode} onChange={(commsMode) => patch({ commsMode })} />
      );
    case 'gatewayUID':
      return (
        <GatewayField
          {...props}
          farmUID={farmUID}
          value={values.gatewayUID}
          onChange={(gatewayUID) => patch({ gatewayUID })}
        />
      );
    case 'isSpareUnit':
      return (
        <SwitchField
          {...props}
          label="Waits for its turn; doesn't count as in service"
          value={values.isSpareUnit}
          onChange={(isSpareUnit) => patch({ isSpareUnit })}
        />
      );
    case 'isPartSprinkler':
      return (
        <SwitchField
          {...props}
          label="Waters a part of a circle"
          value={values.isPartSprinkler}
          onChange={(isPartSprinkler) => patch({ isPartSprinkler })}
        />
      );
    case 'groups':
      return (
        <GroupField
          {...props}
          farmUID={farmUID}
          hint="In place of the groups that each is in now."
          value={values.groups}
          onChange={(groups) => patch({ groups })}
        />
      );
    default:
      return field satisfies never;
  }
}

const ignore = () => undefined;
