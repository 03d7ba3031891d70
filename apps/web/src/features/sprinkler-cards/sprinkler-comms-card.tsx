import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CommsUnit, SprinklerComms } from '@headrace/contract/health';
import { needs } from '@headrace/contract/permissions';
import { historyType } from '@headrace/contract/rules/health-figures';
import { useCan } from '../../access/permissions.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { Age } from '../../ui/age.tsx';
import { CardFrame, type CardProps } from '../../ui/card-frame.tsx';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { numberText } from '../../ui/format.ts';
import { StateView } from '../../ui/state-view.tsx';
import type { Condition } from '../../ui/tokens.ts';
import { useGrowing } from '../../ui/use-growing.ts';
import { openHealth } from './health-search.ts';
import { sprinklerCommsQuery } from './health.queries.ts';
import { NoSprinklers } from './no-sprinklers.tsx';
import { PdfWay } from '../../ui/pdf-way.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './sprinkler-cards.module.css';
import type { CommsReportProps } from './comms-report.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';

const CommsReport = lazyDialog<CommsReportProps>(() => import('./comms-report.tsx').then((m) => m.default));

const CLASSES: readonly {
  member: 'regular' | 'occasional' | 'outOfContact';
  label: string;
  condition: Condition;
}[] = [
  { member: 'regular', label: 'Regular', condition: 'ok' },
  { member: 'occasional', label: 'Occasional', condition: 'caution' },
  { member: 'outOfContact', label: 'Out of contact', condition: 'issue' },
];
const LISTS = [
  { member: 'outOfContact', label: 'Out of contact', what: 'not heard for more than 30 days, or never' },
  { member: 'occasional', label: 'Occasional', what: 'heard within 30 days, not within 7' },
  { member: 'outOfService', label: 'Out of service', what: 'spares among them' },
] as const;

/** How regularly the farm's sprinklers are heard, and which are not, the longest silence first. */
export function SprinklerCommsCard({ farm }: CardProps) {
  const { _id: farmUID } = farm;
  const query = useQuery(sprinklerCommsQuery(farmUID));
  const { data: comms } = query;
  const pdf = comms && comms.total + comms.units.outOfService.length > 0 && (
    <PdfWay of="sprinkler communications">
      {(onClose) => <CommsReport {...{ farm, comms, onClose }} />}
    </PdfWay>
  );
  return (
    <CardFrame type="IPCComms" title="Sprinkler Comms" actions={pdf}>
      <StateView
        query={query}
        failed="How sprinklers are heard couldn't be loaded"
        skeleton={<Skeleton blockPx={220} />}
        isEmpty={({ total, units }) => total === 0 && units.outOfService.length === 0}
        empty={<NoSprinklers farmUID={farmUID} />}
      >
        {(told) => (
          <>
            <Shares comms={told} />
            <Cause comms={told} farmUID={farmUID} />
            {LISTS.map((list) => (
              <Silent key={list.member} farmUID={farmUID} units={told.units[list.member]} {...list} />
            ))}
          </>
        )}
      </StateView>
    </CardFrame>
  );
}

/** One bar for all in service, and what its parts are, each with its history. */
function Shares({ comms }: { comms: SprinklerComms }) {
  const { total } = comms;
  return (
    <>
      <div className={classes.bar} aria-hidden="true">
        {CLASSES.map(
          ({ member, condition }) =>
            comms[member] > 0 && (
              <i key={member} style={{ flexGrow: comms[member], background: `var(--hr-${condition})` }} />
            ),
        )}
      </div>
      <ul className={classes.shares} aria-label="Sprinklers by contact">
        {CLASSES.map(({ member, label, condition }) => (
          <li key={member}>
            <Link {...openHealth(historyType[member])} className={classes.history}>
              <ConditionDot condition={condition} label={null} />
              <b className="num">{numberText(comms[member])}</b> {label}
            </Link>
          </li>
        ))}
        <li>
          <b className="num">{numberText(total)}</b> Total
        </li>
      </ul>
    </>
  );
}

const causeLabels = { gateway: 'are heard by gateway', repeater: 'lie within 250 m of repeater' } as const;

/** One line instead of fourteen: what most of the silent ones have in common. */
function Cause({ comms: { silent, cause }, farmUID }: { comms: SprinklerComms; farmUID: string }) {
  const zone = useFarmZone(farmUID);
  if (!cause) return null;
  return (
    <p className={classes.cause}>
      <ConditionDot condition="issue" label={null} size={16} />{' '}
      <b className="num">{numberText(cause.units)}</b> of <span className="num">{numberText(silent)}</span>{' '}
      sprinklers that were not heard for more than a day {causeLabels[cause.kind]} <b>{cause.name}</b>, last
      heard <Age at={cause.heardAt} zone={zone} />. See to it first.
    </p>
  );
}

/** Rows that are drawn at once; of thousands the rest follows. */
const ROWS_AT_ONCE = 50;

function Silent({
  farmUID,
  units,
  label,
  what,
}: {
  farmUID: string;
  units: readonly CommsUnit[];
  label: string;
  what: string;
}) {
  if (units.length === 0) return null;
  return (
    <details className={classes.silent}>
      <summary>
        {label} <b className="num">{numberText(units.length)}</b> <span>{what}</span>
      </summary>
      <Rows farmUID={farmUID} units={units} label={label} />
    </details>
  );
}

function Rows({ farmUID, units, label }: { farmUID: string; units: readonly CommsUnit[]; label: string }) {
  const zone = useFarmZone(farmUID);
  const canMap = useCan(needs.groupMap, farmUID);
  const drawn = useGrowing(units.length, ROWS_AT_ONCE);
  return (
    <ul className={classes.rows} aria-label={label}>
      {units.slice(0, drawn).map(({ id, name, serialNumber, statusTime }) => (
        <li key={id}>
          {canMap ? (
            <Link
              to="/group-status/$name"
              params={{ name: 'FARM' }}
              search={{ farm: farmUID, ipc: id }}
              className={classes.unit}
            >
              {name}
            </Link>
          ) : (
            <span className={classes.unit}>{name}</span>
          )}
          <span className={classes.serial}>{serialNumber}</span>
          <Age at={statusTime} zone={zone} never="Never contacted" />
        </li>
      ))}
    </ul>
  );
}
