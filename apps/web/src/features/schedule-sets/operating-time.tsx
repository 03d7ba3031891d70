import { useState } from 'react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { OPERATING_DAYS, type OperatedUnit, type OperatingTimes } from '@headrace/contract/reports';
import { fileWord } from '@headrace/contract/rules/files/file-word';
import type { SetSummary } from '@headrace/contract/schedule-sets';
import { nothingText, notesOf, operatingTotals } from '@headrace/paper/reports/operating-time-report';
import { call, download } from '../../api/client.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { Dialog } from '../../forms/dialog.tsx';
import { FileRows } from '../../ui/file-rows.tsx';
import { exactTime, numberText, usefulDigits } from '../../ui/format.ts';
import { MadeFileRow } from '../../ui/made-file-row.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { VirtualList } from '../../ui/virtual-list.tsx';
import classes from './operating-time.module.css';

const operatingTimesQuery = (farmUID: string, scheduleID: string) =>
  queryOptions({
    queryKey: ['operating-times', farmUID, scheduleID],
    queryFn: ({ signal }) => call('GET /reports/operating-time', { query: { farmUID, scheduleID }, signal }),
    staleTime: 60_000,
  });

interface Props {
  set: SetSummary;
  farmUID: string;
  onClose: () => void;
}

/** What the sprinklers of a set were to water by it, and did; to look at and to take along. */
export default function OperatingTime({ set, farmUID, onClose }: Props) {
  const [isOpen, setIsOpen] = useState(true);
  const query = useQuery(operatingTimesQuery(farmUID, set._id));
  const name = `operating-time-${fileWord(set.name)}`;
  const asked = { query: { farmUID, scheduleID: set._id } };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => setIsOpen(false)}
      onClosed={onClose}
      title={`Operating time of ${set.name}`}
      size={600}
    >
      <p className={classes.about}>
        How long its sprinklers were to water while they held it in the last {OPERATING_DAYS} days, and did.
      </p>
      <StateView
        query={query}
        failed="The operating times couldn't be loaded"
        skeleton={<Skeleton blocks={4} blockPx={ROW_PX} />}
      >
        {(times) => <Times farmUID={farmUID} times={times} />}
      </StateView>
      <FileRows>
        <MadeFileRow
          file={`${name}.csv`}
          text="The rows, for a spreadsheet."
          make={() => download('GET /reports/operating-time.csv', asked)}
        />
        <MadeFileRow
          file={`${name}.pdf`}
          text="The same rows on paper, with how near they came to what was planned."
          make={() => download('GET /reportspdf/operatingtime', asked)}
        />
      </FileRows>
    </Dialog>
  );
}

const [ROW_PX, ROWS_SHOWN] = [76, 4];
const minutes = (value: number) => `${numberText(value, usefulDigits(value, 1))} min`;

function Times({ farmUID, times }: { farmUID: string; times: OperatingTimes }) {
  const nothing = nothingText(times);
  if (nothing !== null) return <p className={classes.sum}>{nothing}</p>;
  return (
    <>
      <p className={`${classes.sum} num`}>{sumText(times.units)}</p>
      <div className={classes.units} style={{ height: Math.min(times.units.length, ROWS_SHOWN) * ROW_PX }}>
        <VirtualList
          label="Sprinklers, the lowest share first"
          items={times.units.toSorted((one, other) => placeOf(one) - placeOf(other))}
          rowPx={ROW_PX}
          keyOf={({ unitUID }) => unitUID}
          isRead
        >
          {(unit) => <Unit farmUID={farmUID} unit={unit} />}
        </VirtualList>
      </div>
    </>
  );
}

/** Of whom nothing is known after those that are known, and last who was to water nothing. */
const placeOf = ({ share, planned }: OperatedUnit) => share ?? (planned > 0 ? 1e6 : 1e7);

/** "Watered 376 of 420 min: 89.5 %. Of 56 min more nothing is known." */
function sumText(units: readonly OperatedUnit[]): string {
  const { planned, unknown, actual, share, kept, running } = operatingTotals(units);
  if (planned === 0)
    return kept > 0 ? 'All was kept from what it was to water.' : 'Nothing was planned by it.';
  if (actual === null || share === null)
    return `${minutes(planned)} were planned, and of none of it anything was heard.`;
  return [
    `Watered ${minutes(actual)} of ${minutes(planned - unknown)}: ${numberText(share, 1)} %.`,
    unknown > 0 ? `Of ${minutes(unknown)} more nothing is known.` : '',
    running > 0 ? `${numberText(running)} ${running === 1 ? 'is' : 'are'} watering now.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** Who was to water nothing has no share; that is not the same as not known. */
function shareText({ share, planned }: OperatedUnit): string {
  if (share !== null) return `${numberText(share, usefulDigits(share, 1))} %`;
  return planned > 0 ? 'not known' : numberText(null);
}

function Unit({ farmUID, unit }: { farmUID: string; unit: OperatedUnit }) {
  const zone = useFarmZone(farmUID);
  const { sprinkler, scheduleGroup, planned, unknown, actual, lastWatered } = unit;
  const when =
    lastWatered === null ? 'not heard to water' : `last ${exactTime(Date.parse(lastWatered), zone)}`;
  return (
    <div className={classes.unit}>
      <span className={classes.head}>
        <strong>{sprinkler}</strong>
        <strong className="num">{shareText(unit)}</strong>
      </span>
      <small className="num">
        {actual === null
          ? `${minutes(planned)} planned`
          : `${numberText(actual, usefulDigits(actual, 1))} of ${minutes(planned - unknown)}`}
        {' · '}
        {when}
      </small>
      <small>{[scheduleGroup, notesOf(unit)].filter(Boolean).join(' · ')}</small>
    </div>
  );
}
