import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Alert } from '@headrace/contract/alerts';
import type { FarmCard } from '@headrace/contract/farms';
import { call, isMissing } from '../../api/client.ts';
import { NotFoundPage } from '../../access/message-pages.tsx';
import { useAboutFarm } from '../../farm/current-farm.ts';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { toast } from '../../ui/toasts.ts';
import { lastChange } from '../changes/last-change.ts';
import { AlertForm } from './alert-form.tsx';
import { validateAlert, entryOf, newAlert, valuesOf } from './alert-values.ts';
import type { NewAlertSearch } from './alerts-search.ts';
import { alertQuery, useRefetch } from './alerts.queries.ts';
import { useAlertFarms } from './use-alert-farms.ts';

/** `/alerts/new` */
export function NewAlertPage() {
  const search: NewAlertSearch = useSearch({ strict: false });
  const { query, farm } = useAlertFarms(search.farm);
  return (
    <>
      <TitleBar title="New alert" subtitle={farm?.name} back="/alerts" />
      <StateView
        query={query}
        failed="Your farms couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={170} />}
        isEmpty={() => farm === undefined}
        empty={<Empty title="There is no farm that you are told of." />}
      >
        {() => farm && <NewAlert key={farm._id} farm={farm} />}
      </StateView>
    </>
  );
}

function NewAlert({ farm }: { farm: FarmCard }) {
  const farmUID = farm._id;
  const leave = useLeave(farmUID);
  const form = useRecordForm({
    draftKey: `alert.new.${farmUID}`,
    initial: newAlert('TankLow'),
    validate: validateAlert,
    save: (values) => call('POST /alert', { body: { farmUID, ...entryOf(values) } }),
    onSaved: () => {
      toast.success('Alert added.');
      leave();
    },
  });
  return <AlertForm form={form} farmUID={farmUID} isNew />;
}

/** `/alerts/{id}` */
export function EditAlertPage() {
  const { id } = useParams({ from: '/alerts/$id' });
  const query = useQuery(alertQuery(id));
  const { data: farms } = useQuery(farmsCardQuery);
  const [isAsked, setIsAsked] = useState(false);
  useAboutFarm(query.data?.farmUID);
  if (isMissing(query)) return <NotFoundPage />;
  const alert = query.data;
  return (
    <>
      <TitleBar
        title={alert?.name ?? 'Alert'}
        subtitle={farms?.find(({ _id }) => _id === alert?.farmUID)?.name}
        back="/alerts"
      >
        {alert && <PlainButton onClick={() => setIsAsked(true)}>Delete…</PlainButton>}
      </TitleBar>
      <StateView
        query={query}
        failed="The alert couldn't be loaded"
        skeleton={<Skeleton blocks={2} blockPx={170} />}
      >
        {(found) => (
          <>
            <EditAlert key={found._id} alert={found} />
            {isAsked && <DeleteAlert alert={found} onClose={() => setIsAsked(false)} />}
          </>
        )}
      </StateView>
    </>
  );
}

function EditAlert({ alert }: { alert: Alert }) {
  const queryClient = useQueryClient();
  const leave = useLeave(alert.farmUID);
  const form = useRecordForm({
    draftKey: `alert.${alert._id}`,
    initial: valuesOf(alert),
    version: alert.version,
    validate: validateAlert,
    readCurrent: (current) => {
      const record = current as Alert;
      return { values: valuesOf(record), version: record.version };
    },
    lastChange: () => lastChange(alert.farmUID, alert._id),
    save: (values, version = alert.version) =>
      call('PUT /alert', { body: { _id: alert._id, version, ...entryOf(values) } }),
    onSaved: (saved) => {
      queryClient.setQueryData(alertQuery(alert._id).queryKey, saved);
      toast.success('Alert saved.');
      leave();
    },
  });
  return <AlertForm form={form} farmUID={alert.farmUID} isNew={false} />;
}

function DeleteAlert({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const leave = useLeave(alert.farmUID);
  return (
    <ConfirmDialog
      title="Delete this alert?"
      confirm="Delete"
      doing="Deleting…"
      isFinal
      run={() => call('DELETE /alert', { query: { alertUID: alert._id } })}
      onDone={() => {
        toast.success('Alert deleted.');
        leave();
      }}
      onClose={onClose}
    >
      Nobody is told by “{alert.name}” any more. What it told stays in the list of what is over.
    </ConfirmDialog>
  );
}

/** To the farm's alerts. */
function useLeave(farmUID: string): () => void {
  const refetch = useRefetch(farmUID);
  const navigate = useNavigate();
  return () => {
    void refetch();
    void navigate({ to: '/alerts', search: { farm: farmUID } });
  };
}
