import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { Timezone } from '@headrace/contract/farms';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { can, flag, needs } from '@headrace/contract/permissions';
import type { takeDays, WaterTake } from '@headrace/contract/water-takes';
import { standardTime, waterYearStart } from '@headrace/contract/rules/water-take/clock';
import { knownM3 } from '@headrace/contract/rules/water-take/sums';
import { useCan } from '../../access/permissions.ts';
import { call } from '../../api/client.ts';
import { serverNow } from '../../api/server-time.ts';
import { ConfirmDialog } from '../../forms/confirm-dialog.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { exactTime, numberText, spanText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StateView } from '../../ui/state-view.tsx';
import { toast } from '../../ui/toasts.ts';
import { GapList } from './gap-list.tsx';
import { joinedExceedances } from './joined-exceedances.ts';
import { Meters } from './meter-panel.tsx';
import { RestrictionLines } from './restriction-lines.tsx';
import { TakeCalendar } from './take-calendar.tsx';
import { exceedanceText, limitTexts, validText } from './take-labels.ts';
import { takeDaysQuery, takeKeys, type TakeDays } from './takes.queries.ts';
import { UseBars } from './use-bars.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import classes from './takes.module.css';
import type { DayDialogProps } from './day-dialog.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const PackPanel = lazyPart(() => import('./pack-panel.tsx').then((m) => m.PackPanel), {
  failed: "What it takes to make a pack couldn't be loaded",
  waiting: <Skeleton blocks={1} blockPx={160} />,
});
const DayDialog = lazyDialog<DayDialogProps>(() => import('./day-dialog.tsx').then((m) => m.DayDialog));

interface TakeViewProps {
  farmUID: string;
  take: WaterTake;
  zone: Timezone;
}

/** What was taken under a consent, how surely that is known, and what is left. */
export function TakeView({ farmUID, take, zone }: TakeViewProps) {
  const [year, setYear] = useState<'this' | 'last'>('this');
  const query = useQuery(takeDaysQuery(farmUID, take.uid, daysOfYear(year, zone)));
  return (
    <>
      <Facts take={take} />
      <Actions farmUID={farmUID} take={take} />
      <RestrictionLines {...{ farmUID, take, zone }} />
      <Segmented
        aria-label="Water year"
        className={classes.year}
        value={year}
        onChange={setYear}
        data={[
          { value: 'this', label: 'This water year' },
          { value: 'last', label: 'Last water year' },
        ]}
      />
      <StateView
        query={query}
        failed="What was taken couldn't be loaded"
        skeleton={<Skeleton blocks={4} blockPx={120} />}
      >
        {(found) => <Found {...{ farmUID, take, zone, found }} />}
      </StateView>
    </>
  );
}

/** null: this one, up to now. */
function daysOfYear(year: 'this' | 'last', zone: Timezone): TakeDays | null {
  if (year === 'this') return null;
  const time = standardTime(zone);
  const start = waterYearStart(time, serverNow());
  const day = (at: number) => new Date(at + time.offsetMs).toISOString().slice(0, 10);
  return { from: day(waterYearStart(time, start - 1)), to: day(start - 1) };
}

const unbroken = (text: string) => text.replaceAll(' ', '\u00A0');

function Facts({ take }: { take: WaterTake }) {
  const facts = [
    ['Source', take.source],
    ['Holder', take.holder],
    ['Council', take.council],
    ['Valid', validText(take) ?? ''],
    // A limit stays on one line with its unit.
    ['May take', limitTexts(take).map(unbroken).join(', ') || 'no limit entered'],
    ['Conditions', take.restrictionNote],
  ].filter(([, value]) => value !== '');
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Actions({ farmUID, take }: Omit<TakeViewProps, 'zone'>) {
  const canEdit = useCan(needs.editSensors, farmUID);
  const canDelete = useCan({ anyOf: [can('sensors', 'Delete')] }, farmUID);
  const [isDeleting, setIsDeleting] = useState(false);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  if (!canEdit && !canDelete) return null;
  return (
    <p className={classes.ways}>
      {canEdit && (
        <Link
          to="/water-takes/$farmUID"
          params={{ farmUID }}
          search={{ take: take.uid, edit: 'yes' }}
          className={classes.way}
        >
          Edit the take, its meters and restrictions
        </Link>
      )}
      {canDelete && <PlainButton onClick={() => setIsDeleting(true)}>Delete the take</PlainButton>}
      {isDeleting && (
        <ConfirmDialog
          title={`Delete ${take.consentNo}`}
          confirm="Delete"
          doing="Deleting…"
          isFinal
          run={() => call('DELETE /water-take', { query: { farmUID, uid: take.uid } })}
          onDone={() => {
            for (const queryKey of takeKeys(farmUID)) void queryClient.invalidateQueries({ queryKey });
            toast.success('The water take is deleted.');
            void navigate({ to: '/water-takes/$farmUID', params: { farmUID }, search: {} });
          }}
          onClose={() => setIsDeleting(false)}
        >
          Its limits, readings of the register and notes are deleted. What its meters said stays.
        </ConfirmDialog>
      )}
    </p>
  );
}

/** Nothing came from any of its meters, or nothing that can be counted. */
const isUnknown = ({ days }: ReplyOf<typeof takeDays>) =>
  days.length > 0 && days.every((day) => knownM3(day) === null);

function untilText(found: ReplyOf<typeof takeDays>, zone: Timezone): string {
  if (found.until === null) return 'No quarter of an hour is known yet.';
  const until = exactTime(Date.parse(found.until), zone);
  return isUnknown(found)
    ? `Nothing is known of any quarter of an hour until ${until}.`
    : `By what the meters said until ${until}.`;
}

function Found({ farmUID, take, zone, found }: TakeViewProps & { found: ReplyOf<typeof takeDays> }) {
  const canEdit = useCan(needs.editSensors, farmUID);
  const canExport = useCan({ anyOf: [flag('export')] }, farmUID);
  const [day, setDay] = useState<string | null>(null);
  const { days, gaps, gapCount, use, checks } = found;
  const { uid } = take;
  return (
    <>
      <Panel title="Used and left">
        <UseBars use={use} zone={zone} take={take} />
        <p className={classes.note}>{untilText(found, zone)}</p>
      </Panel>
      <Panel title="Above a limit">
        <Exceedances found={found} zone={zone} />
      </Panel>
      <Panel title="How complete the days are">
        <p className={classes.note}>
          Days of {found.standardTime} all year, as councils keep them: each has 96 quarters of an hour, also
          where clocks change. Other times here are the farm’s own.
        </p>
        {days.length === 0 ? (
          <p>No meter was in place in this time.</p>
        ) : (
          <TakeCalendar days={days} onOpen={setDay} />
        )}
      </Panel>
      <Panel title="What is missing">
        <GapList {...{ farmUID, uid, gaps, zone, canEdit }} count={gapCount} meters={take.meters} />
      </Panel>
      <Panel title="Meters">
        <Meters {...{ farmUID, take, checks, zone, canEdit }} />
      </Panel>
      {canExport && (
        <Panel title="Evidence pack">
          <PackPanel {...{ farmUID, uid, zone }} consentNo={take.consentNo} changedAt={take.updatedAt} />
        </Panel>
      )}
      {day && <DayDialog {...{ farmUID, uid, day, zone }} onClose={() => setDay(null)} />}
    </>
  );
}

const FIRST = 20;

function Exceedances({ found, zone }: { found: ReplyOf<typeof takeDays>; zone: Timezone }) {
  const { exceedances, exceedanceCount } = found;
  if (exceedanceCount === 0 && isUnknown(found))
    return <p>Nothing is known of this time, so nobody can say whether a limit was kept.</p>;
  if (exceedanceCount === 0) return <p>What is known was never above a limit.</p>;
  const shown = joinedExceedances(exceedances).slice(0, FIRST);
  const older = exceedanceCount - shown.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <ul className={classes.lines}>
        {shown.map((one) => (
          <li key={`${one.limit} ${one.at.from}`}>
            <span className={classes.found}>
              <ConditionDot condition={one.isWithinAccuracy ? 'caution' : 'issue'} label={null} size={15} />
              <span>
                <b className="num">{spanText(one.at, zone)}</b>
                {': '}
                {one.count > 1 && `${one.count} quarters, the highest `}
                {exceedanceText(one)}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {older > 0 && (
        <p className={classes.note}>
          {older === 1 ? '1 older one' : `${numberText(older)} older ones`}: a pack lists them.
        </p>
      )}
    </>
  );
}
