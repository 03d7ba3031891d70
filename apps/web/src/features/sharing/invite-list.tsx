import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { Invite } from '@headrace/contract/sharing';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { useIsSuspended } from '../../session/use-is-suspended.ts';
import { personOf, placeOf, stateConditions, stateOf, stateLabel } from './invite-labels.ts';
import { templateName } from './rights-labels.ts';
import type { InviteActions } from './use-invite-actions.ts';
import card from '../../ui/card.module.css';
import classes from './sharing.module.css';

export interface InviteListProps {
  invites: readonly Invite[];
  isAgent: boolean;
  actions: InviteActions;
  onRevoke: (invite: Invite) => void;
}

/** Shares as a table, or as cards where there is little room; in the order that they came in. */
export function InviteList(props: InviteListProps) {
  const isMobile = useIsMobile();
  return isMobile ? <Cards {...props} /> : <Table {...props} />;
}

function Table({ invites, isAgent, ...rest }: InviteListProps) {
  return (
    <div className={classes.scroll}>
      <table className={classes.table} aria-label={isAgent ? 'My Accesses' : 'Manage Access'}>
        <thead>
          <tr>
            <th scope="col">{isAgent ? 'Owner' : 'Person'}</th>
            <th scope="col">Farm</th>
            <th scope="col">Rights</th>
            <th scope="col">State</th>
            <th scope="col">Until</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span className={classes.spoken}>Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {invites.map((invite) => (
            <tr key={invite.key}>
              <th scope="row">
                <Person invite={invite} isAgent={isAgent} />
              </th>
              <td>{placeOf(invite)}</td>
              <td>{templateName(invite.template)}</td>
              <td>
                <State invite={invite} />
              </td>
              <td className="num">{untilText(invite)}</td>
              <td>{invite.accepted ? <LastUsed invite={invite} /> : '–'}</td>
              <td>
                <Actions invite={invite} isAgent={isAgent} {...rest} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cards({ invites, isAgent, ...rest }: InviteListProps) {
  return (
    <ul className={classes.cards} aria-label={isAgent ? 'My Accesses' : 'Manage Access'}>
      {invites.map((invite) => (
        <li key={invite.key} className={`${card.card} ${classes.card}`}>
          <div className={classes.cardHead}>
            <Person invite={invite} isAgent={isAgent} />
            <State invite={invite} />
          </div>
          <dl className={classes.facts}>
            <Fact label="Farm">{placeOf(invite)}</Fact>
            <Fact label="Rights">{templateName(invite.template)}</Fact>
            <Fact label="Until">{untilText(invite)}</Fact>
            {invite.accepted && (
              <Fact label="Last used">
                <LastUsed invite={invite} />
              </Fact>
            )}
          </dl>
          <Actions invite={invite} isAgent={isAgent} {...rest} />
        </li>
      ))}
    </ul>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd className="num">{children}</dd>
    </div>
  );
}

/** An agent sees the owner; an owner sees the person, whose address alone is known before there is an account. */
function Person({ invite, isAgent }: { invite: Invite; isAgent: boolean }) {
  const name = isAgent ? invite.farmerName : personOf(invite);
  return (
    <span className={classes.person}>
      <span className={classes.name}>{name}</span>
      {!isAgent && name !== invite.email && <span className={classes.mail}>{invite.email}</span>}
    </span>
  );
}

function State({ invite }: { invite: Invite }) {
  const state = stateOf(invite, useNow());
  return (
    <span className={classes.state}>
      <ConditionDot condition={stateConditions[state]} label={null} />
      {stateLabel[state]}
    </span>
  );
}

/** A share that nobody has used yet is no fault. */
const LastUsed = ({ invite: { lastUsedAt } }: { invite: Invite }) =>
  lastUsedAt === null ? 'never' : <Age at={lastUsedAt} />;

const untilText = ({ endsAt }: Invite) =>
  endsAt === null ? 'No end' : (exactTime(Date.parse(endsAt)).split(' ')[0] ?? '');

type ActionsProps = Omit<InviteListProps, 'invites'> & { invite: Invite };

/** What can be done with a share in its state. Each button names whom it is about to screen readers. */
function Actions({ invite, isAgent, actions, onRevoke }: ActionsProps) {
  const now = useNow();
  const isSuspended = useIsSuspended();
  const state = stateOf(invite, now);
  const isBusy = actions.busy === invite.key;
  const about = <span className={classes.spoken}> {isAgent ? placeOf(invite) : personOf(invite)}</span>;
  if (isAgent)
    return (
      <div className={classes.actions}>
        {state === 'pending' && (
          <>
            <PlainButton disabled={isBusy} onClick={() => actions.run('accept', invite)}>
              Accept{about}
            </PlainButton>
            <PlainButton disabled={isBusy} onClick={() => actions.run('reject', invite)}>
              Reject{about}
            </PlainButton>
          </>
        )}
        {state !== 'pending' && (
          <PlainButton onClick={() => onRevoke(invite)}>
            {state === 'accepted' ? 'Give up' : 'Remove'}
            {about}
          </PlainButton>
        )}
      </div>
    );
  return (
    <div className={classes.actions}>
      {state !== 'rejected' && (
        <Link to="/invitations/permissions/$id" params={{ id: invite.key }} className={classes.way}>
          Edit permissions{about}
        </Link>
      )}
      {state === 'pending' && invite.agentName === '' && (
        <PlainButton disabled={isBusy || isSuspended} onClick={() => actions.run('resend', invite)}>
          Resend{about}
        </PlainButton>
      )}
      <PlainButton onClick={() => onRevoke(invite)}>Revoke{about}</PlainButton>
    </div>
  );
}
