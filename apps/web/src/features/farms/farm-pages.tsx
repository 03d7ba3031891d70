import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Farm } from '@headrace/contract/farms';
import { farBoundaryQuestion } from '@headrace/contract/rules/far-place';
import { ACCOUNT_SUSPENDED_TEXT } from '@headrace/contract/texts';
import { call } from '../../api/client.ts';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { isSame } from '../../forms/merge.ts';
import { useNow } from '../../ui/clock.ts';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { toast } from '../../ui/toasts.ts';
import { isSubscriptionExpired } from '../../session/subscription.ts';
import { useSession } from '../../session/use-session.ts';
import { globalSettingsQuery } from '../../preferences/settings.queries.ts';
import { farmQuery } from '../../farm/farms.queries.ts';
import { ChangesPanel } from '../changes/changes-panel.tsx';
import { lastChange } from '../changes/last-change.ts';
import { CopyUid } from './copy-uid.tsx';
import { addPermissions, ownersQuery, receiveFarm, renewFarms } from './farm-edit.queries.ts';
import { FarmForm, FORM_TITLE } from './farm-form.tsx';
import { pinOf } from './farm-map-field.tsx';
import { validateEntries, entryOf, type FarmValues, newFarm, valuesOf } from './farm-values.ts';
import { NOT_REFRESHED_TEXT, REFRESHED_TEXT } from './timezone-panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** Before pin or boundary are saved that have parted from each other. */
function askOfFarm({ place, boundary }: FarmValues, base: FarmValues): string | null {
  const pin = pinOf(place);
  const isMoved = !isSame([place, boundary], [base.place, base.boundary]);
  return isMoved && pin ? farBoundaryQuestion(pin, boundary) : null;
}

/** `/farm/new` */
export function NewFarmPage() {
  const { type, subscriptionValidUntil } = useSession();
  const now = useNow();
  const isAgent = type === 'AGENT';
  const globals = useQuery(globalSettingsQuery);
  const owners = useQuery({ ...ownersQuery, enabled: isAgent });
  const query = isAgent && !owners.data ? owners : globals;
  return (
    <>
      <TitleBar title={FORM_TITLE} subtitle="New farm" back="/" />
      <StateView<unknown>
        query={query}
        failed="The form couldn't be loaded"
        skeleton={<Skeleton blocks={3} blockPx={180} />}
      >
        {() => {
          if (isSubscriptionExpired(subscriptionValidUntil, now))
            return (
              <Empty title={ACCOUNT_SUSPENDED_TEXT}>New farms can be made again when it is renewed.</Empty>
            );
          if (!globals.data?.newFarmCreationGlobal)
            return <Empty title="New farms are not made at present.">Please ask the operator.</Empty>;
          if (isAgent && owners.data?.length === 0) return <NoOwners />;
          return <NewFarm owners={isAgent ? (owners.data ?? []).map(({ _id }) => _id) : null} />;
        }}
      </StateView>
    </>
  );
}

function NoOwners() {
  const { email } = useSession();
  return (
    <Empty title="No owner shares a whole account with you.">
      Ask the farm's owner to share the whole account with {email}: then you can make farms in it.
    </Empty>
  );
}

/** `owners`: whom an agent can choose from; null for owners themselves. */
function NewFarm({ owners }: { owners: readonly string[] | null }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const only = owners?.length === 1 ? owners[0] : undefined;
  const form = useRecordForm({
    draftKey: 'farm.new',
    initial: only ? { ...newFarm, accountId: only } : newFarm,
    validate: (values) => validateEntries(values, owners),
    ask: askOfFarm,
    save: (values) =>
      call('POST /farm', {
        body: { ...entryOf(values), ...(values.accountId && { accountId: values.accountId }) },
      }),
    onSaved: (reply) => {
      addPermissions(queryClient, reply);
      void renewFarms(queryClient);
      void navigate({ to: '/' });
    },
  });
  return <FarmForm form={form} asksOwner={owners !== null} />;
}

/** `/farm/{id}` */
export function EditFarmPage() {
  const { id } = useParams({ from: '/farm/$id' });
  const query = useQuery({ ...farmQuery(id), staleTime: 0 });
  return (
    <>
      <TitleBar title={FORM_TITLE} subtitle={query.data?.name} back="/">
        <CopyUid uid={id} />
      </TitleBar>
      <StateView
        query={query}
        failed="The farm couldn't be loaded"
        skeleton={<Skeleton blocks={3} blockPx={180} />}
      >
        {(farm) => (
          <>
            <EditFarm key={farm.uid} farm={farm} />
            <ChangesPanel farmUID={farm.uid} />
          </>
        )}
      </StateView>
    </>
  );
}

function EditFarm({ farm }: { farm: Farm }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const form = useRecordForm({
    draftKey: `farm.${farm.uid}`,
    initial: valuesOf(farm),
    version: farm.version,
    validate: (values) => validateEntries(values, null),
    ask: askOfFarm,
    lastChange: () => lastChange(farm.uid, farm.uid),
    readCurrent: (current) => {
      const record = current as Farm;
      return { values: valuesOf(record), version: record.version };
    },
    save: (values, version = farm.version) =>
      call('PUT /farm', { body: { id: farm.uid, version, ...entryOf(values) } }),
    onSaved: (saved) => {
      receiveFarm(queryClient, saved);
      void renewFarms(queryClient);
      if (!isSame([saved.lat, saved.lng], [farm.lat, farm.lng])) void refreshZone(saved.uid);
      void navigate({ to: '/' });
    },
  });
  /** The server looks the zone up for the new place; here it is asked for until it says so. spec 1 §4 */
  const refreshZone = async (farmUID: string) => {
    try {
      await call('POST /farm-timezone', { body: { farmUID } });
      toast.success(REFRESHED_TEXT);
      await queryClient.invalidateQueries({ queryKey: farmQuery(farmUID).queryKey });
    } catch {
      toast.error(NOT_REFRESHED_TEXT);
    }
  };
  return <FarmForm form={form} farm={farm} />;
}
