import type { ReactNode } from 'react';
import { Link, useRouterState } from '@tanstack/react-router';
import { FORBIDDEN_TEXT, NOT_FOUND_TEXT } from '@headrace/contract/texts';
import { useSession } from '../session/use-session.ts';
import { useCurrentFarm } from '../farm/current-farm.ts';
import { Logo } from '../ui/logo.tsx';
import { EmptyTrough, LockedGate } from './pictures.tsx';
import classes from './message-pages.module.css';

function MessagePage(props: { picture: ReactNode; code: string; text: string; children: ReactNode }) {
  const { logged } = useSession();
  return (
    <div className={classes.page}>
      {!logged && (
        <Link to="/" className={classes.brand}>
          <Logo size={34} /> Headrace
        </Link>
      )}
      {props.picture}
      <p className={classes.code}>{props.code}</p>
      <h1 className={classes.text}>{props.text}</h1>
      <div className={classes.links}>{props.children}</div>
    </div>
  );
}

/** 404 of an address. */
export const NotFoundPage = () => <MissingPage />;

/** 404. People who aren't signed in are offered to, when the page exists for those who are. `why`: a sentence, where more is known. */
export function MissingPage({ why }: { why?: string | undefined }) {
  const { logged } = useSession();
  const isPrivate = useRouterState({
    select: (state) => state.matches.at(-1)?.staticData.isPrivate ?? false,
  });
  const href = useRouterState({ select: (state) => state.location.href });
  return (
    <MessagePage picture={<EmptyTrough />} code="404" text={NOT_FOUND_TEXT}>
      {why && <p className={classes.farm}>{why}</p>}
      {!logged && isPrivate && (
        <Link to="/login" search={{ redirect: href }} className={classes.main}>
          Sign in
        </Link>
      )}
      <Link to="/" className={!logged && isPrivate ? classes.second : classes.main}>
        Go to the home page
      </Link>
    </MessagePage>
  );
}

/** 403: the current farm's permissions don't allow the page that was asked for. */
export function ForbiddenPage() {
  const farm = useCurrentFarm();
  return (
    <MessagePage picture={<LockedGate />} code="403" text={FORBIDDEN_TEXT}>
      {farm && <p className={classes.farm}>The current farm is {farm.name}.</p>}
      <Link to="/" className={classes.main}>
        Go to the home page
      </Link>
    </MessagePage>
  );
}
