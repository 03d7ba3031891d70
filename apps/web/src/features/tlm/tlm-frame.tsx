import type { ReactNode } from 'react';
import { useSession } from '../../session/use-session.ts';
import { HomeBrand } from '../../ui/home-brand.tsx';
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
