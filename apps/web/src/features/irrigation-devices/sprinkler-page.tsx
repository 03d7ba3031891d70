import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { can } from '@headrace/contract/permissions';
import { call } from '../../api/client.ts';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { useCan } from '../../access/permissions.ts';
import { deviceKinds } from '../../device-records/device-kinds.ts';
import { lastRadioQuery, sprinklerQuery, sprinklersQuery } from '../../device-records/sprinklers.queries.ts';
import { newIdentity } from '../devices/device-values.ts';
import { EditPage, PageTitle, useLeaveForList } from '../devices/edit-page.tsx';
import { useEditForm } from '../devices/use-edit-form.ts';
import { findMac } from '../devices/serial-lookup.ts';
import { useSeries } from '../devices/use-series.ts';
import { useFarPlace } from '../placing/use-far-place.ts';
import { copied } from './copied.ts';
import { SprinklerForm } from './sprinkler-form.tsx';
import {
  validateSprinkler,
  entryOf,
  FIRST_RADIO,
  newSprinkler,
  SHORT_NAME_MAX,
  type SprinklerValues,
  valuesOf,
} from './sprinkler-values.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';

/** Only of a unit that exists, and below its fields: after the page. */
const SprinklerActions = lazyPart(() => import('./sprinkler-actions.tsx').then((m) => m.SprinklerActions), {
  failed: "What can be done with it couldn't be loaded",
});

const kind = deviceKinds.sprinkler;

/** `/irrigation-device/new/{farmUID}`; with `copy` it begins as that sprinkler. */
export function NewSprinklerPage({ farmUID }: { farmUID: string }) {
  const { copy } = useSearch({ strict: false });
  const mayAsk = useCan({ anyOf: [can('irrigationDevices', 'Edit')] }, farmUID);
  const last = useQuery({ ...lastRadioQuery(farmUID), enabled: mayAsk });
  const isCopy = copy !== undefined;
  const original = useQuery({ ...sprinklerQuery(copy ?? ''), enabled: isCopy });
  const units = useQuery({ ...sprinklersQuery(farmUID), enabled: isCopy });
  // What is known of others is a help: without it the form begins as on a farm's first day.
  const isKnown =
    (!mayAsk || last.data !== undefined || last.isError) &&
    (!isCopy || [original, units].every(({ data, isError }) => data !== undefined || isError));
  const first = newSprinkler(last.data ?? FIRST_RADIO);
  const initial = (isCopy && original.data && units.data && copied(original.data, units.data)) || first;
  const query = { ...last, isError: false, data: isKnown ? initial : undefined };
  return (
    <>
      <PageTitle kind={kind} farmUID={farmUID} title="New sprinkler" />
      <StateView
        query={query}
        failed="The form couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={170} />}
      >
        {(values) => <NewSprinkler key={copy} farmUID={farmUID} initial={values} isCopy={values !== first} />}
      </StateView>
    </>
  );
}

interface NewSprinklerProps {
  farmUID: string;
  initial: SprinklerValues;
  isCopy: boolean;
}

function NewSprinkler({ farmUID, initial, isCopy }: NewSprinklerProps) {
  const queryClient = useQueryClient();
  const leave = useLeaveForList(kind, farmUID);
  const series = useSeries({
    farmUID,
    list: sprinklersQuery(farmUID),
    nameMax: SHORT_NAME_MAX,
    isLine: true,
  });
  const form = useRecordForm({
    ask: useFarPlace(farmUID),
    draftKey: `sprinkler.new.${farmUID}`,
    initial,
    validate: validateSprinkler,
    save: (values) =>
      call('POST /ipc', { body: { farmUID, ...entryOf(values), isSpareUnit: values.isSpareUnit } }),
    onSaved: () => {
      toast.success('Sprinkler added.', { id: 'added' });
      leave();
    },
    complete: (values) => findMac(queryClient, 'sprinkler', values),
    another: {
      next: (_reply, saved) => ({ ...saved, ...newIdentity, ...series.next(saved) }),
      focus: 'serialNumber',
    },
  });
  const proposed = series.proposed ?? (isCopy ? initial.place : null);
  return <SprinklerForm form={form} farmUID={farmUID} proposed={proposed} />;
}

/** `/irrigation-device/{farmUID}/{id}` */
export function SprinklerPage({ farmUID, id }: { farmUID: string; id: string }) {
  const query = useQuery(sprinklerQuery(id));
  return (
    <EditPage
      kind={kind}
      farmUID={farmUID}
      query={query}
      remove={(unit) => call('DELETE /ipc', { query: { deviceId: unit._id } })}
      renderActions={(unit) => <SprinklerActions unit={unit} />}
    >
      {(unit) => <EditSprinkler key={unit._id} unit={unit} />}
    </EditPage>
  );
}

function EditSprinkler({ unit }: { unit: Ipc }) {
  const form = useEditForm({
    kind,
    record: unit,
    valuesOf,
    validate: validateSprinkler,
    ask: useFarPlace(unit.farmUID),
    save: (values, version) => call('PUT /ipc', { body: { id: unit._id, version, ...entryOf(values) } }),
    queryKey: (id) => sprinklerQuery(id).queryKey,
  });
  return <SprinklerForm form={form} farmUID={unit.farmUID} unit={unit} />;
}
