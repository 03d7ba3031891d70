import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Invite } from '@headrace/contract/sharing';
import { call, errorText } from '../../api/client.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { useNow } from '../../ui/clock.ts';
import { TitleBar } from '../../ui/title-bar.tsx';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import forms from '../../forms/forms.module.css';
import { personOf, placeOf, WHOLE_ACCOUNT } from './invite-labels.ts';
import { RightsFields } from './rights-fields.tsx';
import { validateEnd, endOf } from './rights-values.ts';
import { listText } from './rights-labels.ts';
import { endShareDraft, patchShareDraft, useShareDraft, type ShareDraft } from './share-draft.ts';
import { SharePage, StepBar } from './share-steps.tsx';
import { renewShares } from './sharing.queries.ts';
import card from '../../ui/card.module.css';
import classes from './sharing.module.css';

/** `/invitations/share/permissions`: the last step, and then what became of it. */
export function SharePermissionsPage() {
  const { sent } = useShareDraft();
  if (sent) return <Sent invites={sent} />;
  return (
    <SharePage step="permissions">
      <Permissions />
    </SharePage>
  );
}

function Permissions() {
  const draft = useShareDraft();
  const queryClient = useQueryClient();
  const now = useNow();
  const [isTried, setIsTried] = useState(false);
  const fault = validateEnd(draft.rights.endsOn, now);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => send(draft),
    onSuccess: async ({ invites }) => {
      endShareDraft(invites);
      await renewShares(queryClient);
    },
  });
  const submit = () => {
    setIsTried(true);
    if (!fault) mutate();
  };
  return (
    <div className={forms.form}>
      <Summary draft={draft} />
      <RightsFields
        values={draft.rights}
        error={isTried ? (fault ?? undefined) : undefined}
        onChange={(rights) => patchShareDraft({ rights })}
        onLeave={() => undefined}
      />
      <StepBar
        next={isPending ? 'Sending…' : 'Send'}
        isBusy={isPending}
        fault={error ? errorText(error) : isTried ? fault : null}
        onNext={submit}
      />
    </div>
  );
}

function send({ farms, isAccountShare, contacts, rights }: ShareDraft) {
  const { template, permissions, endsOn } = rights;
  return call('POST /permissions', {
    body: {
      contacts: [...contacts],
      farms: isAccountShare ? [] : [...farms],
      isAccountShare,
      template,
      permissions,
      endsAt: endOf(endsOn),
    },
  });
}

/** Who gets what, before the rights are chosen. */
function Summary({ draft }: { draft: ShareDraft }) {
  const { data: all = [] } = useQuery(farmsCardQuery);
  const farms = all.filter(({ _id }) => draft.farms.includes(_id)).map(({ name }) => name);
  return (
    <p className={classes.summary}>
      <strong>{draft.isAccountShare ? WHOLE_ACCOUNT : listText(farms)}</strong> to{' '}
      <strong>{listText(draft.contacts.map(({ name, email }) => name || email))}</strong>
    </p>
  );
}

function Sent({ invites }: { invites: readonly Invite[] }) {
  return (
    <>
      <TitleBar title={invites.length === 1 ? 'Invitation sent' : `${invites.length} invitations sent`} />
      <p className={classes.lead}>
        Each person gets a mail with a link. Until it is followed and accepted, nothing of your farms can be
        seen.
      </p>
      <ul className={classes.cards} aria-label="Sent">
        {invites.map((invite) => (
          <li key={invite.key} className={`${card.card} ${classes.card}`}>
            <div className={classes.cardHead}>
              <span className={classes.person}>
                <span className={classes.name}>{personOf(invite)}</span>
                {personOf(invite) !== invite.email && <span className={classes.mail}>{invite.email}</span>}
              </span>
              <span className={classes.state}>
                <ConditionDot condition="caution" label={null} />
                Awaiting response
              </span>
            </div>
            {placeOf(invite)}
          </li>
        ))}
      </ul>
      <div className={classes.ends}>
        <Link to="/invitations/share/select" className={classes.way}>
          Share with someone else
        </Link>
        <Link to="/invitations" className={classes.main}>
          Manage Access
        </Link>
      </div>
    </>
  );
}
