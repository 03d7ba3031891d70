import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import { IconList, IconMap2 } from '@tabler/icons-react';
import { RetryButton } from '../ui/state-view.tsx';
import { useIsMobile } from '../ui/use-is-mobile.ts';
import classes from './map-page.module.css';

export interface MapPageProps {
  /** What the page shows, for those who hear it. */
  title: string;
  /** As it stands over the panel where there is room for it; absent: the panel says so itself. */
  heading?: string;
  /** Counts, filters and the list: beside the map, on a phone over it. */
  panel: ReactNode;
  /** The counts that stand below the map on a phone. */
  counts: ReactNode;
  isList: boolean;
  onList: (isList: boolean) => void;
  /** The map, and what lies over it. */
  children: ReactNode;
  /** Its dialogs. */
  dialogs?: ReactNode;
}

/** A page that is a map: with its list beside it, or on a phone with the list in its place and the way to it below. */
export function MapPage(props: MapPageProps) {
  const { title, heading, panel, counts, isList, onList, children, dialogs } = props;
  const isMobile = useIsMobile();
  return (
    <div className={classes.page}>
      {(isMobile || !heading) && <h1 className={classes.spoken}>{title}</h1>}
      {!isMobile && (
        <aside className={classes.side}>
          {heading && <h1 className={classes.title}>{heading}</h1>}
          {panel}
        </aside>
      )}
      <div className={classes.main}>
        {children}
        {isMobile && isList && <div className={classes.sheet}>{panel}</div>}
      </div>
      {isMobile && (
        <div className={classes.bar}>
          <ListButton isList={isList} onClick={() => onList(!isList)} />
          {counts}
        </div>
      )}
      {dialogs}
    </div>
  );
}

function ListButton({ isList, onClick }: { isList: boolean; onClick: () => void }) {
  const Icon = isList ? IconMap2 : IconList;
  return (
    <Button
      variant="default"
      className={classes.toggle}
      leftSection={<Icon size={20} aria-hidden="true" />}
      onClick={onClick}
    >
      {isList ? 'Map' : 'List'}
    </Button>
  );
}

interface RetryProps {
  children: ReactNode;
  onRetry: () => void;
  isRetrying: boolean;
}

/** In the place of a map that couldn't be loaded: why, and another try. */
export function MapFailed({ children, onRetry, isRetrying }: RetryProps) {
  return (
    <div role="alert" className={classes.failed}>
      <p>{children}</p>
      <RetryButton onClick={onRetry} isBusy={isRetrying} />
    </div>
  );
}

/** Over a map of which a part couldn't be loaded. */
export function MapNotice({ children, onRetry, isRetrying }: RetryProps) {
  return (
    <div role="status" className={classes.strip}>
      {children}
      <RetryButton onClick={onRetry} isBusy={isRetrying} />
    </div>
  );
}
