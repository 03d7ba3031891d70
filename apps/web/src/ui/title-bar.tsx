import type { MouseEvent, ReactNode } from 'react';
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import { IconArrowLeft } from '@tabler/icons-react';
import classes from './title-bar.module.css';

export interface TitleBarProps {
  title: ReactNode;
  /** Below the title: the farm's name, the age of what is shown. */
  subtitle?: ReactNode;
  /** Where Back leads when there is no page before this one; absent: no back button. */
  back?: string | undefined;
  /** At the right: buttons. */
  children?: ReactNode;
}

/** A page's heading with a way back. */
export function TitleBar({ title, subtitle, back, children }: TitleBarProps) {
  return (
    <div className={classes.bar}>
      {back !== undefined && <BackLink to={back} />}
      <div className={classes.text}>
        <h1 className={classes.title}>{title}</h1>
        {subtitle && <div className={classes.subtitle}>{subtitle}</div>}
      </div>
      {children && <div className={classes.actions}>{children}</div>}
    </div>
  );
}

function BackLink({ to }: { to: string }) {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const goBack = (event: MouseEvent) => {
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey;
    if (!canGoBack || opensElsewhere) return;
    event.preventDefault();
    router.history.back();
  };
  return (
    <Link to={to} className={classes.back} aria-label="Back" onClick={goBack}>
      <IconArrowLeft size={22} stroke={1.8} aria-hidden="true" />
    </Link>
  );
}
