import { useState, type ReactNode } from 'react';
import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { Invite } from '@headrace/contract/sharing';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { numberText } from '../../ui/format.ts';
import { foldText } from '../../ui/fold-text.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { useSearchPatch } from '../../ui/url-state.ts';
import { sharersSecondStepQuery } from '../../access/sharers-second-step.ts';
import { useIsSuspended } from '../../session/use-is-suspended.ts';
import { useSession } from '../../session/use-session.ts';
import { AccessLog } from './access-log.tsx';
import { AskSecondStep } from './ask-second-step.tsx';
import { InviteList } from './invite-list.tsx';
import { personOf, placeOf, SUSPENDED_SHARING } from './invite-labels.ts';
import { RevokeDialog } from './revoke-dialog.tsx';
import { invitesQuery } from './sharing.queries.ts';
import { useInviteActions } from './use-invite-actions.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import more from '../../ui/show-more.module.css';
import tabs from '../../ui/link-tabs.module.css';
import classes from './sharing.module.css';

/** With more shares than this there is a box to search them. */
const SEARCH_FROM = 5;
/** Three hundred are 83,000 px of cards on a phone: who looks for one searches. */
const SHOWN_AT_FIRST = 50;

/** `/invitations`: an owner's shares and their log, or what an agent was invited to. */
export function InvitationsPage() {
  const isAgent = useSession().type === 'AGENT';
  const isLog = useSearch({ from: '/invitations' }).tab === 'log' && !isAgent;
  return (
    <>
      <TitleBar title={isAgent ? 'My Accesses' : 'Manage Access'} back="/">
        {!isAgent && <Tabs />}
        {!isAgent && <ShareButton />}
      </TitleBar>
      {isLog ? <AccessLog /> : <Shares isAgent={isAgent} />}
    </>
  );
}

function Tabs() {
  const tab = (name: 'log' | undefined, label: string) => (
    <Link
      to="/invitations"
      search={{ tab: name }}
      activeOptions={{ exact: true, includeSearch: true }}
      className={tabs.tab}
    >
      {label}
    </Link>
  );
  return (
    <nav className={`${tabs.tabs} ${classes.tabs}`} aria-label="Shares and access log">
      {tab(undefined, 'Shares')}
      {tab('log', 'Access log')}
    </nav>
  );
}

/** The way to a new share; off, and saying why, while the subscription is over. */
function ShareButton({ children = 'Share' }: { children?: ReactNode }) {
  if (useIsSuspended())
    return (
      <span className={classes.off}>
        <PlainButton disabled onClick={() => undefined}>
          {children}
        </PlainButton>
        <span className={classes.why}>{SUSPENDED_SHARING}</span>
      </span>
    );
  return (
    <Link to="/invitations/share/select" className={classes.main}>
      {children}
    </Link>
  );
}

function Shares({ isAgent }: { isAgent: boolean }) {
  const { email } = useSession();
  const query = useQuery(invitesQuery);
  const secondStep = useQuery({ ...sharersSecondStepQuery, enabled: !isAgent });
  // It stands above the shares: a button that is about to be pressed must not move from under the finger.
  const whole = secondStep.isLoading ? { ...query, data: undefined } : query;
  return (
    <StateView
      query={whole}
      failed={isAgent ? "Your accesses couldn't be loaded" : "Your shares couldn't be loaded"}
      skeleton={<Skeleton blocks={3} blockPx={76} />}
      isEmpty={(invites) => invites.length === 0}
      empty={
        isAgent ? (
          <Empty title="Nobody shares a farm with you yet.">
            Ask a farm's owner to share it with {email}: the invitation comes by mail, and is shown here.
          </Empty>
        ) : (
          <Empty
            title="You share your farms with nobody yet."
            action={<ShareButton>Share a farm</ShareButton>}
          >
            Invite a manager, a contractor or a guest: you choose for each what they may see and do, and can
            take it back at any time.
          </Empty>
        )
      }
    >
      {(invites) => (
        <>
          {!isAgent && <AskSecondStep />}
          <Found invites={invites} isAgent={isAgent} />
        </>
      )}
    </StateView>
  );
}

function Found({ invites, isAgent }: { invites: Invite[]; isAgent: boolean }) {
  const { q = '' } = useSearch({ from: '/invitations' });
  const patch = useSearchPatch<{ q: string | undefined }>();
  const [revoked, setRevoked] = useState<Invite | null>(null);
  const [isAll, setAll] = useState(false);
  const actions = useInviteActions();
  const textOf = (invite: Invite) =>
    foldText([personOf(invite), invite.email, invite.farmerName, placeOf(invite)].join(' '));
  const shown = invites.filter((invite) => textOf(invite).includes(foldText(q)));
  return (
    <>
      {(invites.length > SEARCH_FROM || q !== '') && (
        <TextInput
          className={classes.search ?? ''}
          aria-label={isAgent ? 'Search owners and farms' : 'Search people and farms'}
          placeholder={isAgent ? 'Search owners and farms' : 'Search people and farms'}
          type="search"
          value={q}
          maxLength={80}
          onChange={(event) => patch({ q: event.currentTarget.value || undefined }, { replace: true })}
        />
      )}
      {actions.failure && (
        <p className={classes.failure} role="alert">
          <ConditionDot condition="issue" size={18} label={null} />
          <span>
            {placeOf(actions.failure.invite)}: {actions.failure.text}
          </span>
        </p>
      )}
      {shown.length === 0 ? (
        <Empty
          title="No share matches."
          action={<PlainButton onClick={() => patch({ q: undefined })}>Show all</PlainButton>}
        />
      ) : (
        <InviteList
          invites={isAll ? shown : shown.slice(0, SHOWN_AT_FIRST)}
          isAgent={isAgent}
          actions={actions}
          onRevoke={setRevoked}
        />
      )}
      {!isAll && shown.length > SHOWN_AT_FIRST && (
        <div className={more.more}>
          <PlainButton onClick={() => setAll(true)}>Show all {numberText(shown.length)}</PlainButton>
        </div>
      )}
      {revoked && <RevokeDialog invite={revoked} isAgent={isAgent} onClose={() => setRevoked(null)} />}
    </>
  );
}
