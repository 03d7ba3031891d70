import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { defaultWaterApplication } from '@headrace/contract/default-farm';
import type { FarmCard } from '@headrace/contract/farms';
import type { Group } from '@headrace/contract/groups';
import { LONG_NAME_MAX } from '@headrace/contract/rules/device-form';
import { call, isMissing } from '../../api/client.ts';
import { NotFoundPage } from '../../access/message-pages.tsx';
import { AreaField, FormSection, SwitchField, TextField, Wide } from '../../forms/fields.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { type RecordForm as Form, useRecordForm } from '../../forms/use-record-form.ts';
import { WaterFields } from '../../forms/water-fields.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { toast } from '../../ui/toasts.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { lastChange } from '../changes/last-change.ts';
import { ChangesPanel } from '../changes/changes-panel.tsx';
import { validateGroup, entryOf, groupLabels, type GroupValues, valuesOf } from './group-values.ts';
import { groupQuery, renewGroups } from './groups.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';

/** `/group/new/{farmUID}` */
export function NewGroupPage() {
  const { farmUID } = useParams({ from: '/group/new/$farmUID' });
  const farms = useQuery(farmsCardQuery);
  return (
    <>
      <TitleBar title="New group" subtitle={nameOf(farms.data, farmUID)} back="/" />
      <StateView
        query={farms}
        failed="The farm couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={170} />}
      >
        {(all) => <NewGroup key={farmUID} farmUID={farmUID} farm={all.find(({ _id }) => _id === farmUID)} />}
      </StateView>
    </>
  );
}

const nameOf = (farms: readonly FarmCard[] | undefined, farmUID: string) =>
  farms?.find(({ _id }) => _id === farmUID)?.name;

/** It begins with the farm's own water application. */
function NewGroup({ farmUID, farm }: { farmUID: string; farm: FarmCard | undefined }) {
  const leave = useLeave(farmUID);
  const form = useRecordForm({
    draftKey: `group.new.${farmUID}`,
    initial: {
      name: '',
      description: '',
      isLateral: false,
      walConfig: farm?.walConf ?? defaultWaterApplication,
    },
    validate: validateGroup,
    save: (values) => call('POST /group', { body: { farmUID, ...entryOf(values) } }),
    onSaved: () => {
      toast.success('Group added.');
      leave();
    },
  });
  return <GroupForm form={form} />;
}

/** `/group/{farmUID}/{id}` */
export function EditGroupPage() {
  const { farmUID, id } = useParams({ from: '/group/$farmUID/$id' });
  const query = useQuery(groupQuery(id));
  const { data: farms } = useQuery(farmsCardQuery);
  const group = query.data;
  // Ids are found on whichever farm they are: the address names this one.
  if (isMissing(query) || (group && group.farmUID !== farmUID)) return <NotFoundPage />;
  return (
    <>
      <TitleBar title={group?.name ?? 'Group'} subtitle={nameOf(farms, farmUID)} back="/" />
      <StateView
        query={query}
        failed="The group couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={170} />}
      >
        {(found) => (
          <>
            <EditGroup key={found._id} group={found} />
            <ChangesPanel farmUID={farmUID} uid={found._id} />
          </>
        )}
      </StateView>
    </>
  );
}

function EditGroup({ group }: { group: Group }) {
  const queryClient = useQueryClient();
  const leave = useLeave(group.farmUID);
  const form = useRecordForm({
    draftKey: `group.${group._id}`,
    initial: valuesOf(group),
    version: group.version,
    validate: validateGroup,
    lastChange: () => lastChange(group.farmUID, group._id),
    readCurrent: (current) => {
      const record = current as Group;
      return { values: valuesOf(record), version: record.version };
    },
    save: (values, version = group.version) =>
      call('PUT /group', { body: { id: group._id, version, ...entryOf(values) } }),
    onSaved: (saved) => {
      queryClient.setQueryData(groupQuery(group._id).queryKey, saved.group);
      toast.success('Group saved.');
      leave();
    },
  });
  return <GroupForm form={form} />;
}

/** Back to the farm's groups. */
function useLeave(farmUID: string): () => void {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return () => {
    void renewGroups(queryClient, farmUID);
    void navigate({ to: '/', search: { t: 'g', f: farmUID } });
  };
}

function GroupForm({ form }: { form: Form<GroupValues> }) {
  const { field, values, error, touch, patch } = form;
  return (
    <RecordForm form={form} label="Group" labels={groupLabels} back="/">
      <FormSection>
        <TextField {...field('name')} label="Name" required maxLength={LONG_NAME_MAX} />
        <AreaField {...field('description')} label="Description" rows={1} />
        <Wide>
          <SwitchField
            {...field('isLateral')}
            label="Lateral"
            hint="A sprinkler is in one lateral group at most, and in any number of other groups."
          />
        </Wide>
      </FormSection>
      <WaterFields
        name="walConfig"
        value={values.walConfig}
        error={error}
        touch={touch}
        onChange={(walConfig) => patch({ walConfig })}
      />
    </RecordForm>
  );
}
