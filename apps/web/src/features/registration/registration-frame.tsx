import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { globalSettingsQuery } from '../../preferences/settings.queries.ts';
import { HomeBrand } from '../../ui/home-brand.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './registration.module.css';

export interface RegistrationFrameProps {
  title: string;
  /** "Step 1 of 2" */
  step?: string | undefined;
  children: ReactNode;
}

/** A page of registration; where no accounts are made at present it says so. */
export function RegistrationFrame({ title, step, children }: RegistrationFrameProps) {
  const query = useQuery(globalSettingsQuery);
  return (
    <div className={classes.page}>
      <HomeBrand />
      <h1 className={classes.title}>{title}</h1>
      {step && <p className={classes.step}>{step}</p>}
      <StateView
        query={query}
        failed="The page couldn't be loaded"
        skeleton={<Skeleton blockPx={320} />}
        isEmpty={(globals) => !globals.newAccountCreationGlobal}
        empty={
          <Empty
            title="New accounts are not made at present."
            action={<Link to="/login">Go back to Login</Link>}
          >
            Please ask the operator.
          </Empty>
        }
      >
        {() => children}
      </StateView>
    </div>
  );
}
