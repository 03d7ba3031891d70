import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { DeviceKind } from '../../device-records/device-kinds.ts';
import { type RecordForm, type RecordFormOptions, useRecordForm } from '../../forms/use-record-form.ts';
import { toast } from '../../ui/toasts.ts';
import { lastChange } from '../changes/last-change.ts';
import { useLeaveForList } from './edit-page.tsx';

interface StoredDevice {
  readonly _id: string;
  readonly farmUID: string;
  readonly version: number;
}

interface EditFormOptions<R extends StoredDevice, V extends object>
  extends Pick<RecordFormOptions<V, R>, 'ask' | 'validate'> {
  kind: DeviceKind;
  record: R;
  valuesOf: (record: R) => V;
  save: (values: V, version: number) => Promise<R>;
  /** Where the saved record is kept. */
  queryKey: (id: string) => QueryKey;
}

/** The form of a device that exists: its draft, the newer record of somebody else, and the way back to the list once it is saved. */
export function useEditForm<R extends StoredDevice, V extends object>(
  options: EditFormOptions<R, V>,
): RecordForm<V> {
  const { kind, record, valuesOf, save, queryKey, ask, validate } = options;
  const queryClient = useQueryClient();
  const leave = useLeaveForList(kind, record.farmUID);
  return useRecordForm<V, R>({
    ask,
    draftKey: `${kind.form}.${record._id}`,
    initial: valuesOf(record),
    version: record.version,
    validate,
    lastChange: () => lastChange(record.farmUID, record._id),
    readCurrent: (current) => {
      const newer = current as R;
      return { values: valuesOf(newer), version: newer.version };
    },
    save: (values, version = record.version) => save(values, version),
    onSaved: (saved) => {
      queryClient.setQueryData(queryKey(saved._id), saved);
      toast.success(`${kind.one.charAt(0).toUpperCase()}${kind.one.slice(1)} saved.`);
      leave();
    },
  });
}
