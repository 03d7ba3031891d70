import { useId, type ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import { ApiError, errorText, isMissing } from '../../api/client.ts';
import { Age } from '../../ui/age.tsx';
import { useNow } from '../../ui/clock.ts';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Quantity } from '../../ui/quantity.tsx';
import type { Fact } from './headline-view-model.ts';
import classes from './headlines.module.css';

/** Draws a link around the tile's name, to where its history is. Called, not mounted: each rendering has another. */
export type Leads = (props: { className: string; id: string; children: ReactNode }) => ReactNode;

export interface TileProps {
  name: string;
  detail: string;
  value: ReactNode;
  foot: ReactNode;
  isStale?: boolean | undefined;
  isBusy?: boolean | undefined;
  lead?: Leads | undefined;
}

/** One headline: of what, which number, how much, how old. */
export function Tile({ name, detail, value, foot, isStale = false, isBusy = false, lead }: TileProps) {
  const id = useId();
  return (
    <article
      className={classes.tile}
      aria-labelledby={id}
      aria-busy={isBusy}
      data-stale={isStale || undefined}
    >
      <h3 className={classes.name}>
        {lead?.({ id, className: classes.lead ?? '', children: name }) ?? <span id={id}>{name}</span>}
      </h3>
      <p className={classes.detail}>{detail}</p>
      <p className={classes.value}>{value}</p>
      <div className={classes.foot}>{foot}</div>
    </article>
  );
}

export interface FactTileProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'isFetching' | 'isError'> & { refetch: () => unknown };
  fact: (data: T, now: number) => Fact;
  zone: Timezone;
  /** While it is loading and after a failure. */
  name: string;
  detail: string;
  /** Nothing is chosen, or it is gone: what to say instead of asking. */
  absent?: string | undefined;
  failed?: ((error: unknown) => string) | undefined;
  lead?: Leads | undefined;
}

/** A headline of one answer: the fact, a dash with the reason, or what failed with Retry. */
export function FactTile<T>({ query, fact, zone, name, detail, absent, failed, lead }: FactTileProps<T>) {
  const now = useNow();
  const { data, error, isError, isFetching, refetch } = query;
  const dash = <Quantity value={null} unit="" />;
  if (absent !== undefined || (isMissing(query) && !failed)) {
    return <Tile name={name} detail={detail} value={dash} foot={<Reason>{absent ?? GONE}</Reason>} />;
  }
  if (data === undefined && isError) {
    const foot = (
      <>
        <Reason isAlert>{(failed ?? textOf)(error)}</Reason>
        <PlainButton onClick={() => void refetch()} disabled={isFetching}>
          Retry
        </PlainButton>
      </>
    );
    return <Tile name={name} detail={detail} value={dash} foot={foot} />;
  }
  if (data === undefined) return <Tile name={name} detail={detail} value={<Waiting />} foot={null} isBusy />;
  const shown = fact(data, now);
  const { at, staleAfter } = shown;
  const isKnown = shown.label !== undefined || shown.value !== null;
  return (
    <Tile
      name={shown.name}
      detail={shown.detail}
      value={shown.label ?? <Quantity value={shown.value} unit={shown.unit} digits={shown.digits} />}
      foot={
        <>
          {!isKnown && <Reason>{shown.reason}</Reason>}
          {at !== null && <Age at={at} zone={zone} staleAfter={staleAfter} />}
          {shown.source && (
            <span>
              {shown.isDemo && <b>Demo. </b>}
              {shown.source}
            </span>
          )}
        </>
      }
      isStale={at !== null && staleAfter !== undefined && now - Date.parse(at) > staleAfter}
      lead={lead}
    />
  );
}

export const GONE = "It isn't on this farm any more.";
const textOf = (error: unknown) => errorText(error);

/** The status that a call ended with; 0: no answer came. */
export const statusOf = (error: unknown): number => (error instanceof ApiError ? error.status : 0);

function Reason({ children, isAlert }: { children: ReactNode; isAlert?: boolean }) {
  return (
    <span className={classes.reason} role={isAlert ? 'alert' : undefined}>
      {children}
    </span>
  );
}

const Waiting = () => <span className={classes.waiting} />;
