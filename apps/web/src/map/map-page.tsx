import { type FocusEvent, type ReactNode, useRef } from 'react';
import { RetryButton } from '../ui/state-view.tsx';
import { useIsMobile } from '../ui/use-is-mobile.ts';
import { heightAmong, type SheetHeight } from './map-sheet.ts';
import { SheetBar } from './sheet-bar.tsx';
import { useSheetDrag } from './use-sheet-drag.ts';
import { useSheetHeights } from './use-sheet-heights.ts';
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
  /** How high the list stands on a phone. */
  height: SheetHeight;
  onHeight: (height: SheetHeight) => void;
  /** The map, and what lies over it. */
  children: ReactNode;
  /** Its dialogs. */
  dialogs?: ReactNode;
}

/** A page that is a map: with its list beside it, or on a phone with the list drawn up over it, half or whole. */
export function MapPage(props: MapPageProps) {
  const { title, heading, panel, counts, onHeight, children, dialogs } = props;
  const isMobile = useIsMobile();
  const room = useRef<HTMLDivElement>(null);
  const heights = useSheetHeights();
  const height = heightAmong(props.height, heights);
  const { px, handlers } = useSheetDrag({ room, height, heights, onHeight });
  const isSheet = isMobile && (px !== null || height !== 'summary');
  return (
    <div className={classes.page}>
      {(isMobile || !heading) && <h1 className={classes.spoken}>{title}</h1>}
      {!isMobile && (
        <aside className={classes.side}>
          {heading && <h1 className={classes.title}>{heading}</h1>}
          {panel}
        </aside>
      )}
      <div
        ref={room}
        className={classes.main}
        data-height={isMobile ? height : undefined}
        data-low={(isMobile && !heights.includes('half')) || undefined}
      >
        <div className={classes.map} inert={isMobile && height === 'full'}>
          {children}
        </div>
        {isSheet && <Sheet {...{ px, height, onHeight, handlers }}>{panel}</Sheet>}
      </div>
      {isMobile && (
        <div className={classes.bar} {...handlers}>
          <SheetBar {...{ height, heights, onHeight }}>{counts}</SheetBar>
        </div>
      )}
      {dialogs}
    </div>
  );
}

type Drawn = ReturnType<typeof useSheetDrag>;
interface SheetProps extends Drawn, Pick<MapPageProps, 'height' | 'onHeight'> {
  children: ReactNode;
}

/** The list over the map, as high as it was left or as a finger has it now. */
function Sheet({ px, height, onHeight, handlers, children }: SheetProps) {
  /** A phone's keyboard takes the lower half. */
  const onFocus = ({ target }: FocusEvent) => {
    if (height === 'half' && target instanceof HTMLInputElement) onHeight('full');
  };
  return (
    <div
      className={classes.sheet}
      data-height={px === null ? height : undefined}
      style={px === null ? undefined : { height: px }}
      onFocus={onFocus}
    >
      <div className={classes.handle} {...handlers}>
        <span className={classes.grip} aria-hidden="true" />
      </div>
      <div className={classes.scroller} data-scroller>
        {children}
      </div>
    </div>
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
