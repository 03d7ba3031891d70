import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { SharePermissions } from '@headrace/contract/sharing';
import { call, isMissing } from '../../api/client.ts';
import { NotFoundPage } from '../../access/message-pages.tsx';
import { RecordForm } from '../../forms/record-form.tsx';
import { useRecordForm } from '../../forms/use-record-form.ts';
import { useNow } from '../../ui/clock.ts';
import { exactTime } from '../../ui/format.ts';
import { StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { toast } from '../../ui/toasts.ts';
import { placeOf } from './invite-labels.ts';
import { RightsFields } from './rights-fields.tsx';
import { validateEnd, dayOf, endOf, permissionsOf, templateOf, type RightsValues } from './rights-values.ts';
import { changesText, templateName } from './rights-labels.ts';
import { renewShares, shareQuery } from './sharing.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './sharing.module.css';

/** `/invitations/permissions/{id}`: what an existing share allows. */
export function EditPermissionsPage() {
  const { id } = useParams({ from: '/invitations/permissions/$id' });
  const query = useQuery(shareQuery(id));
  if (isMissing(query)) return <NotFoundPage />;
  return (
    <>
      <TitleBar
        title="Edit permissions"
        subtitle={query.data && subtitleOf(query.data)}
        back="/invitations"
      />
      <StateView
        query={query}
        failed="The permissions couldn't be loaded"
        skeleton={<Skeleton blocks={3} blockPx={76} />}
      >
        {(share) => <EditPermissions key={share.key} share={share} />}
      </StateView>
    </>
  );
}

const subtitleOf = (share: SharePermissions) => `${share.name || share.email}, ${placeOf(share)}`;

const valuesOf = ({ template, permissions, endsAt }: SharePermissions): RightsValues => ({
  template: templateOf(template),
  permissions: permissionsOf(permissions),
  endsOn: dayOf(endsAt),
});

function EditPermissions({ share }: { share: SharePermissions }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const now = useNow();
  const before = valuesOf(share);
  const form = useRecordForm({
    draftKey: `share.${share.key}`,
    initial: before,
    // A share that has ended keeps its day until another is chosen.
    validate: ({ endsOn }) => {
      const fault = endsOn === before.endsOn ? null : validateEnd(endsOn, now);
      return fault ? { endsOn: fault } : {};
    },
    save: ({ template, permissions, endsOn }) =>
      call('PUT /permissions', {
        body: {
          key: share.key,
          template,
          permissions,
          // The same day is the same end, to the minute.
          endsAt: endsOn === before.endsOn ? share.endsAt : endOf(endsOn),
        },
      }),
    onSaved: (saved) => {
      queryClient.setQueryData(shareQuery(share.key).queryKey, saved);
      void renewShares(queryClient);
      toast.success('Permissions saved. They hold from now on.');
      void navigate({ to: '/invitations' });
    },
  });
  return (
    <RecordForm form={form} label="Permissions" back="/invitations">
      <RightsFields
        values={form.values}
        error={form.error('endsOn')}
        onChange={(values) => form.patch(values)}
        onLeave={() => form.touch('endsOn')}
      />
      <Changes before={before} after={form.values} />
    </RecordForm>
  );
}

/** What saving would change. */
function Changes({ before, after }: { before: RightsValues; after: RightsValues }) {
  const lines = changesText(before.permissions, after.permissions);
  if (before.template !== after.template)
    lines.unshift(`${templateName(after.template)} instead of ${templateName(before.template)}.`);
  if (before.endsOn !== after.endsOn)
    lines.push(after.endsOn === '' ? 'No longer ends by itself.' : `Ends after ${endText(after.endsOn)}.`);
  return (
    <section className={classes.changes} aria-label="What changes">
      <h2>What changes</h2>
      {lines.length === 0 && <p>Nothing yet.</p>}
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

const endText = (day: string) => {
  const end = endOf(day);
  return end === null ? day : (exactTime(Date.parse(end)).split(' ')[0] ?? day);
};
