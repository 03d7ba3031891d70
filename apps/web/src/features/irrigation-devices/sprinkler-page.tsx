import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Ipc } from '@headrace/contract/irrigation-devices';
import { can } from '@headrace/contract/permissions';
import { call } from '../../api/client.ts';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { useCan } from '../access/permissions.ts';
import { deviceKinds } from '../devices/device-kinds.ts';
import { EditPage, FormBones, PageTitle, useLeaveForList } from '../devices/edit-page.tsx';
import { SprinklerActions } from './sprinkler-actions.tsx';
import { SprinklerForm } from './sprinkler-form.tsx';
import { complainOfSprinkler, entryOf, FIRST_RADIO, newSprinkler, valuesOf } from './sprinkler-values.ts';
import { lastRadioQuery, sprinklerQuery } from './sprinklers.queries.ts';

const kind = deviceKinds.sprinkler;

/** `/irrigation-device/new/{farmUID}` */
export function NewSprinklerPage({ farmUID }: { farmUID: string }) {
  const mayAsk = useCan({ anyOf: [can('irrigationDevices', 'Edit')] }, farmUID);
  const last = useQuery({ ...lastRadioQuery(farmUID), enabled: mayAsk });
  // What was used last is a help: without it the form begins as on a farm's first day.
  const isKnown = !mayAsk || last.data !== undefined || last.isError;
  const query = { ...last, isError: false, data: isKnown ? (last.data ?? FIRST_RADIO) : undefined };
  return (
    <>
      <PageTitle kind={kind} farmUID={farmUID} title="New sprinkler" />
      <StateView query={query} failed="The form couldn't be loaded" skeleton={<FormBones />}>
        {(radio) => <NewSprinkler farmUID={farmUID} radio={radio} />}
      </StateView>
    </>
  );
}

function NewSprinkler({ farmUID, radio }: { farmUID: string; radio: typeof FIRST_RADIO }) {
  const leave = useLeaveForList(kind, farmUID);
  const form = useRecordForm({
    draftKey: `sprinkler.new.${farmUID}`,
    initial: newSprinkler(radio),
    complain: complainOfSprinkler,
    save: (values) =>
      call('POST /ipc', { body: { farmUID, ...entryOf(values), isSpareUnit: values.isSpareUnit } }),
    onSaved: () => {
      toast.success('Sprinkler added.');
      leave();
    },
  });
  return <SprinklerForm form={form} farmUID={farmUID} />;
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
  const queryClient = useQueryClient();
  const leave = useLeaveForList(kind, unit.farmUID);
  const form = useRecordForm({
    draftKey: `sprinkler.${unit._id}`,
    initial: valuesOf(unit),
    version: unit.version,
    complain: complainOfSprinkler,
    readCurrent: (current) => {
      const record = current as Ipc;
      return { values: valuesOf(record), version: record.version };
    },
    save: (values, version = unit.version) =>
      call('PUT /ipc', { body: { id: unit._id, version, ...entryOf(values) } }),
    onSaved: (saved) => {
      queryClient.setQueryData(sprinklerQuery(saved._id).queryKey, saved);
      toast.success('Sprinkler saved.');
      leave();
    },
  });
  return <SprinklerForm form={form} farmUID={unit.farmUID} unit={unit} />;
}
