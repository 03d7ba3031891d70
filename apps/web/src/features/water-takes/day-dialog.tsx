import { useQuery } from '@tanstack/react-query';
import type { Timezone } from '@headrace/contract/farms';
import type { ReplyOf } from '@headrace/contract/endpoint';
import type { takeRows } from '@headrace/contract/water-takes';
import { Dialog } from '../../forms/dialog.tsx';
import { dayText, minuteText, numberText } from '../../ui/format.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { stateLabels } from './take-labels.ts';
import { takeRowsQuery } from './takes.queries.ts';
import classes from './takes.module.css';

type Place = ReplyOf<typeof takeRows>['places'][number];

export interface DayDialogProps {
  farmUID: string;
  uid: string;
  /** YYYY-MM-DD of standard time. */
  day: string;
  zone: Timezone;
  onClose: () => void;
}

/** A day's quarters of an hour at each place. */
export function DayDialog({ farmUID, uid, day, zone, onClose }: DayDialogProps) {
  const query = useQuery(takeRowsQuery(farmUID, uid, day));
  return (
    <Dialog title={dayText(day)} onClose={onClose} size={720}>
      <StateView
        query={query}
        failed="The quarters of the day couldn't be loaded"
        skeleton={<Skeleton blocks={6} blockPx={36} />}
        isEmpty={(places) => places.every(({ rows }) => rows.length === 0)}
        empty={<p>No meter was in place, or no quarter of this day is over.</p>}
      >
        {(places) =>
          places.map((place) => <Rows key={`${place.site} ${place.measure}`} {...{ place, zone }} />)
        }
      </StateView>
    </Dialog>
  );
}

function Rows({ place, zone }: { place: Place; zone: Timezone }) {
  const offsetMs = zone.rawOffset * 1000;
  return (
    <table className={classes.table}>
      <caption>
        {place.site}, {place.measure}
      </caption>
      <thead>
        <tr>
          <th scope="col">Until</th>
          <th scope="col">Farm’s clock</th>
          <th scope="col" className={classes.right}>
            m³
          </th>
          <th scope="col">How</th>
          <th scope="col" className={classes.right}>
            Code
          </th>
        </tr>
      </thead>
      <tbody>
        {place.rows.map(({ end, m3, state, code }) => (
          <tr key={end} data-state={state}>
            <th scope="row" className="num">
              {clockOf(end, offsetMs)}
            </th>
            <td className="num">{minuteText(end, zone)}</td>
            <td className={`${classes.right} num`}>{numberText(m3, 3)}</td>
            <td>{stateLabels[state]}</td>
            <td className={`${classes.right} num`}>{code}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The last quarter ends at 24:00. */
function clockOf(end: number, offsetMs: number): string {
  const clock = new Date(end + offsetMs).toISOString().slice(11, 16);
  return clock === '00:00' ? '24:00' : clock;
}
