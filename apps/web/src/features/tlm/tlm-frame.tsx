import type { ReactNode } from 'react';
import { HomeBrand } from '../accounts/home-brand.tsx';
import { useSession } from '../accounts/use-session.ts';
import classes from './tlm.module.css';

/** A page for everybody: people who aren't signed in have no header. */
export function TlmFrame({ title, children }: { title: string; children: ReactNode }) {
  const { logged } = useSession();
  return (
    <div className={classes.page}>
      {!logged && <HomeBrand />}
      <h1 className={classes.title}>{title}</h1>
      {children}
    </div>
  );
}
