import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReplyOf } from '@headrace/contract/endpoint';
import { comparedKinds } from '@headrace/contract/rules/schedule/plan-diff';
import type { ComparedUnit, compareSets } from '@headrace/contract/schedule-sets';
import { isMissing } from '../../api/client.ts';
import { numberText } from '../../ui/format.ts';
import { Panel } from '../../ui/panel.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Empty, StateView } from '../../ui/state-view.tsx';
import { TitleBar } from '../../ui/title-bar.tsx';
import { usePrinted } from '../../ui/use-printed.ts';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { changedKinds, type CompareSearch } from './compare-search.ts';
import { compareCsv } from './compare-csv.ts';
import { changeText, kindTexts, kindLabels } from './compare-labels.ts';
import { compareQuery } from '../schedules/sets.queries.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import classes from './sets.module.css';

/** `/schedules/compare/{id}`: what becomes of each sprinkler’s programme, from one set or what units hold to another. */
export function ComparePage() {
  const { id: farmUID } = useParams({ from: '/schedules/compare/$id' });
  const { to }: CompareSearch = useSearch({ strict: false });
  return to === undefined ? (
    <Nothing farmUID={farmUID} title="No set is chosen yet." />
  ) : (
    <Comparison key={farmUID} farmUID={farmUID} to={to} />
  );
}

function Nothing({ farmUID, title }: { farmUID: string; title: string }) {
  return (
    <>
      <TitleBar title="Compare schedule sets" back={`/schedules/${farmUID}`} />
      <Empty
        title={title}
        action={
          <Link to="/schedules/$id" params={{ id: farmUID }} className={classes.way}>
            To the schedule sets
          </Link>
        }
      >
        A set's menu compares it with the current one, or with what sprinklers hold.
      </Empty>
    </>
  );
}

function Comparison({ farmUID, to }: { farmUID: string; to: string }) {
  const { from }: CompareSearch = useSearch({ strict: false });
  const query = useQuery(compareQuery(farmUID, to, from));
  if (isMissing(query))
    return (
      <Nothing farmUID={farmUID} title="A set of this comparison isn't there. It may have been deleted." />
    );
  return (
    <>
      <TitleBar
        title="Compare schedule sets"
        subtitle={sidesText(query.data)}
        back={`/schedules/${farmUID}`}
      />
      <StateView query={query} failed="The sets couldn't be compared" skeleton={<Skeleton blockPx={136} />}>
        {(compared) => <Compared compared={compared} />}
      </StateView>
    </>
  );
}

type Comparing = ReplyOf<typeof compareSets>;

const fromText = ({ from }: Comparing) => from?.name ?? 'what sprinklers hold now';
const sidesText = (compared: Comparing | undefined) =>
  compared && `From ${fromText(compared)} to ${compared.to.name}`;

function save(compared: Comparing, units: readonly ComparedUnit[]): void {
  const content = compareCsv(units, fromText(compared), compared.to.name);
  saveFile({
    name: `changes to ${compared.to.name}.csv`.replace(/[^\p{L}\p{N}_.-]+/gu, '-'),
    content: new Blob([content], { type: 'text/csv' }),
  });
}

const ROW_PX = 64;

function Compared({ compared }: { compared: Comparing }) {
  const { counts, units } = compared;
  const isPrinted = usePrinted();
  const { kind }: CompareSearch = useSearch({ strict: false });
  const { id } = useParams({ from: '/schedules/compare/$id' });
  const shown = kind ? units.filter((unit) => unit.kind === kind) : units;
  const all = comparedKinds.reduce((sum, one) => sum + counts[one], 0);
  return (
    <Panel title={`${numberText(units.length)} of ${numberText(all)} sprinklers change`}>
      <nav className={classes.counts} aria-label="By what becomes of them">
        <span className={`${classes.kind} num`}>
          {numberText(counts.same)} {kindLabels.same}
        </span>
        {changedKinds
          .filter((one) => counts[one] > 0 || one === kind)
          .map((one) => (
            <Link
              key={one}
              to="/schedules/compare/$id"
              params={{ id }}
              search={(before) => ({ ...before, kind: one === kind ? undefined : one })}
              replace
              className={`${classes.kind} num`}
              aria-current={one === kind ? 'true' : undefined}
            >
              {numberText(counts[one])} {kindLabels[one]}
            </Link>
          ))}
      </nav>
      {kind && <p className={classes.facts}>{kindTexts[kind]}</p>}
      {shown.length > 0 && (
        <p className={classes.saving}>
          <PlainButton onClick={() => save(compared, shown)}>Save as CSV</PlainButton>
          <PlainButton onClick={() => window.print()}>Print</PlainButton>
        </p>
      )}
      {shown.length === 0 ? (
        <p className={classes.facts}>{kind ? 'None.' : 'All water at the same times.'}</p>
      ) : isPrinted ? (
        shown.map((unit) => <Unit key={unit.uid} unit={unit} />)
      ) : (
        <div className={classes.long}>
          <VirtualList
            label="Sprinklers that change"
            items={shown}
            rowPx={ROW_PX}
            keyOf={({ uid }) => uid}
            isRead
          >
            {(unit) => <Unit unit={unit} />}
          </VirtualList>
        </div>
      )}
    </Panel>
  );
}

const Unit = ({ unit }: { unit: ComparedUnit }) => (
  <div className={classes.unit}>
    <p className={classes.unitHead}>
      <span className={classes.unitName}>
        {unit.name} · {unit.line}
      </span>
      <span>{kindLabels[unit.kind]}</span>
    </p>
    <p className={`${classes.unitLine} num`} title={changeText(unit)}>
      {changeText(unit)}
    </p>
  </div>
);
