import { useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { flag, hasRight } from '@headrace/contract/permissions';
import type { InviteInfo } from '@headrace/contract/sharing';
import { inviteFailures, type InviteFailure } from '@headrace/contract/texts';
import { ApiError, call, errorText } from '../../api/client.ts';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime } from '../../ui/format.ts';
import { Logo } from '../../ui/logo.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { useSession } from '../../session/use-session.ts';
import { useSelectFarm } from '../../farm/current-farm.ts';
import { FarmSign } from '../../farm/farm-sign.tsx';
import { permissionsOf } from './rights-values.ts';
import { rightsText } from './rights-labels.ts';
import { inviteQuery, renewAccess, renewShares } from './sharing.queries.ts';
import { inviteToasts } from './use-invite-actions.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './invite.module.css';

/** `/invite?key=`: the page that the mailed link opens, with or without an account. */
export function InvitePage() {
  const { key } = useSearch({ from: '/invite' });
  const { logged, email } = useSession();
  const query = useQuery({ ...inviteQuery(key ?? '', email), enabled: key !== undefined });
  return (
    <div className={classes.page}>
      {!logged && (
        <Link to="/" className={classes.brand}>
          <Logo size={34} /> Headrace
        </Link>
      )}
      {key === undefined ? (
        <Refused reason="INVALID_KEY" />
      ) : (
        <StateView
          query={query}
          failed="The invitation couldn't be loaded"
          skeleton={<Skeleton blocks={3} blockPx={76} />}
        >
          {(info) => <Answer key={email} inviteKey={key} info={info} />}
        </StateView>
      )}
    </div>
  );
}

function Answer({ inviteKey, info }: { inviteKey: string; info: InviteInfo }) {
  const [refusal, setRefusal] = useState<InviteFailure | null>(null);
  const reason = refusal ?? (info.success ? null : reasonOf(info.reason));
  if (reason) return <Refused reason={reason} />;
  return (
    <section className={classes.card} aria-label="Invitation">
      <Offer info={info} />
      <Ways inviteKey={inviteKey} info={info} onRefused={setRefusal} />
    </section>
  );
}

const reasonOf = (reason: string | null | undefined): InviteFailure =>
  reason !== null && reason !== undefined && reason in inviteFailures
    ? (reason as InviteFailure)
    : 'INVALID_KEY';

/** Whose farm or account it is, and what one may do there. */
function Offer({ info }: { info: InviteInfo }) {
  const { isAccountShare, farmer, name, icon, description, endsAt, permissions } = info;
  return (
    <>
      <div className={classes.head}>
        {icon && <FarmSign icon={icon} size={56} />}
        <div>
          <h1 className={classes.title}>
            {isAccountShare ? `${farmer} shares all farms with you` : `${farmer} shares ${name} with you`}
          </h1>
          {description && <p className={classes.description}>{description}</p>}
        </div>
      </div>
      {isAccountShare && (
        <p className={classes.text}>
          The whole account: every farm of {farmer}, also those that are added later.
        </p>
      )}
      {permissions && (
        <>
          <h2 className={classes.subtitle}>What you may do there</h2>
          <ul className={classes.rights}>
            {rightsText(permissionsOf(permissions)).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
      {endsAt && (
        <p className={classes.text}>
          This ends by itself after <span className="num">{exactTime(Date.parse(endsAt))}</span>.
        </p>
      )}
    </>
  );
}

interface WaysProps {
  inviteKey: string;
  info: InviteInfo;
  onRefused: (reason: InviteFailure) => void;
}

function Ways(props: WaysProps) {
  const { logged } = useSession();
  return logged ? <SignedInWays {...props} /> : <VisitorWays inviteKey={props.inviteKey} />;
}

function SignedInWays({ inviteKey, info, onRefused }: WaysProps) {
  const queryClient = useQueryClient();
  const select = useSelectFarm();
  const navigate = useNavigate();
  const body = { key: inviteKey };
  const accept = useMutation({
    mutationFn: () => call('POST /accept-invite', { body }),
    onSuccess: async ({ farmUID, permissions }) => {
      await Promise.all([renewAccess(queryClient), renewShares(queryClient)]);
      toast.success(inviteToasts.accept[0]);
      if (farmUID === null) return navigate({ to: '/' });
      select(farmUID);
      const canDashboard = hasRight(permissionsOf(permissions), flag('dashboard'));
      return canDashboard ? navigate({ to: '/dashboard', search: { farm: farmUID } }) : navigate({ to: '/' });
    },
    onError: (error) => {
      const code = error instanceof ApiError ? error.code : undefined;
      if (code !== undefined && code in inviteFailures) onRefused(code as InviteFailure);
      toast.error(inviteToasts.accept[1]);
    },
  });
  const reject = useMutation({
    mutationFn: () => call('POST /reject-invite', { body }),
    onSuccess: async () => {
      toast.success(inviteToasts.reject[0]);
      await renewShares(queryClient);
      await navigate({ to: '/' });
    },
    onError: () => toast.error(inviteToasts.reject[1]),
  });
  const isBusy = accept.isPending || reject.isPending;
  const error = accept.error ?? reject.error;
  return (
    <>
      <p className={classes.question}>
        Do you want access to {info.isAccountShare ? `the farms of ${info.farmer}` : info.name}?
      </p>
      {error && !isBusy && (
        <p className={classes.failure} role="alert">
          {errorText(error)}
        </p>
      )}
      <YesNo isBusy={isBusy} onYes={() => accept.mutate()} onNo={() => reject.mutate()} />
    </>
  );
}

/** Accepting needs an account: signing in or registering leads back here. */
function VisitorWays({ inviteKey }: { inviteKey: string }) {
  const navigate = useNavigate();
  const [isDeclined, setIsDeclined] = useState(false);
  const redirect = `/invite?key=${encodeURIComponent(inviteKey)}`;
  const signIn = () => void navigate({ to: '/login', search: { redirect } });
  if (isDeclined)
    return (
      <StatusText>
        Nothing is shared with you, and the invitation stays unanswered. To reject it for good,{' '}
        <Link to="/login" search={{ redirect }}>
          sign in
        </Link>
        ; or leave it at that and <Link to="/">go to the home page</Link>.
      </StatusText>
    );
  return (
    <>
      <p className={classes.question}>Do you accept? You sign in first.</p>
      <YesNo isBusy={false} onYes={signIn} onNo={() => setIsDeclined(true)} />
      <p className={classes.text}>
        No account yet?{' '}
        <Link to="/register/account-type" search={{ redirect }}>
          Create an agent account
        </Link>
        : it leads back here.
      </p>
    </>
  );
}

const StatusText = ({ children }: { children: ReactNode }) => (
  <p className={classes.question} role="status">
    {children}
  </p>
);

function YesNo({ isBusy, onYes, onNo }: { isBusy: boolean; onYes: () => void; onNo: () => void }) {
  return (
    <div className={classes.ways}>
      <Button size="lg" variant="default" aria-disabled={isBusy} onClick={() => !isBusy && onNo()}>
        No
      </Button>
      <Button size="lg" aria-disabled={isBusy} onClick={() => !isBusy && onYes()}>
        Yes
      </Button>
    </div>
  );
}

/** Why nothing comes of the link. */
function Refused({ reason }: { reason: InviteFailure }) {
  return (
    <section className={classes.card} aria-label="Invitation">
      <ConditionDot condition="issue" size={32} label={null} />
      <h1 className={classes.title}>Oops! Something went wrong.</h1>
      <p className={classes.text} role="alert">
        {inviteFailures[reason]}
      </p>
      <div className={classes.ways}>
        <Link to="/" className={classes.home}>
          Go to the home page
        </Link>
      </div>
    </section>
  );
}
