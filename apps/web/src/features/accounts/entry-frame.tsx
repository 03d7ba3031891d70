import type { ReactNode } from 'react';
import { Logo } from '../../ui/logo.tsx';
import { Valley } from './valley.tsx';
import classes from './entry.module.css';

/** The page of people who are on their way in: a picture, and beside it what is asked of them. */
export function EntryFrame({ children }: { children: ReactNode }) {
  return (
    <div className={classes.page}>
      <div className={classes.picture}>
        <Valley />
      </div>
      <div className={classes.panel}>
        <div className={classes.brand}>
          <Logo size={44} />
          <div>
            <div className={classes.name}>Headrace</div>
            <div className={classes.claim}>Your farm's water, as it is now.</div>
          </div>
        </div>
        {children}
      </div>
    </div>
  );
}
