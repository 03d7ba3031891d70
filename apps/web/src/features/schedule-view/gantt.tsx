import { useEffect, useMemo, useRef, useState } from 'react';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Timeline, TimelineLine, TimelineUnit } from '@headrace/contract/timeline';
import { VirtualList } from '../../ui/virtual-list.tsx';
import { GanttHead } from './gantt-head.tsx';
import { type Band, bandsOf, nightBands } from './bands.ts';
import { FlowStrips } from './flow-strips.tsx';
import { Legend } from './timeline-legend.tsx';
import { Behind, LineRow, UnitRow, type Drawing, type OpenedTurn } from './gantt-rows.tsx';
import { lineUnitsQuery, renewLineUnits, type Shown } from './timeline.queries.ts';
import { Seams } from './seams.tsx';
import { farmsCardQuery } from '../../farm/farms.queries.ts';
import { supplyQuery } from '../../device-records/supply.queries.ts';
import { LineCard } from './line-card.tsx';
import { MixedLines } from './mixed-lines.tsx';
import { TurnCard } from './turn-card.tsx';
import { useArrowKeys } from './use-arrow-keys.ts';
import type { useTimeline } from './use-timeline.ts';
import { useWhatIf, WhatIfBar } from './what-if-bar.tsx';
import classes from './timeline.module.css';

export const ROW_PX = 44;
const NO_GHOSTS: Drawing['ghosts'] = [];

type Row =
  | { readonly kind: 'line'; readonly line: TimelineLine }
  | { readonly kind: 'unit'; readonly unit: TimelineUnit; readonly line: TimelineLine }
  | { readonly kind: 'note'; readonly text: string; readonly line: string };

/** Lines, and their sprinklers once they are opened, over the hours of the farm's clock. */
export function Gantt({ timeline, view }: { timeline: Timeline; view: ReturnType<typeof useTimeline> }) {
  const { axis, shown, span, zone, now } = view;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [opened, setOpened] = useState<OpenedTurn | null>(null);
  const [card, setCard] = useState<string | null>(null);
  const body = useRef<HTMLDivElement>(null);
  const onKeyDown = useArrowKeys(body);
  const rows = useRows(timeline, open, view);
  const whatIf = useWhatIf(shown);
  const bands = useBands(view);
  const { seams } = timeline;
  const ghosts = whatIf.preview?.lines ?? NO_GHOSTS;
  // The same object while it says the same: rows that are drawn stay as they are.
  const drawing = useMemo<Drawing>(
    () => ({ axis, zone, now, seams, bands, ghosts }),
    [axis, zone, now, seams, bands, ghosts],
  );
  const chosen = timeline.lines.find(({ id }) => id === card);
  const toggle = (line: string) => {
    const next = new Set(open);
    if (!next.delete(line)) next.add(line);
    setOpen(next);
  };
  return (
    <div className={classes.gantt}>
      <Seams timeline={timeline} zone={zone} now={now} />
      <MixedLines lines={timeline.lines} telling={{ zone, now }} />
      <WhatIfBar
        whatIf={whatIf}
        shown={shown}
        lines={timeline.lines.map(({ id }) => id)}
        zone={zone}
        now={now}
      />
      <GanttHead drawing={drawing} span={span} />
      {/* Its rows and bars are what the keys walk on. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div ref={body} className={classes.body} onKeyDown={onKeyDown}>
        <Behind axis={axis} bands={bands} seams={timeline.seams} />
        <VirtualList label="Lines" items={rows} rowPx={ROW_PX} keyOf={keyOf}>
          {(row) => {
            switch (row.kind) {
              case 'line':
                return (
                  <LineRow
                    line={row.line}
                    drawing={drawing}
                    isOpen={open.has(row.line.id)}
                    onToggle={toggle}
                    onCard={setCard}
                  />
                );
              case 'unit':
                return <UnitRow unit={row.unit} line={row.line} drawing={drawing} onOpen={setOpened} />;
              case 'note':
                return <p className={classes.note}>{row.text}</p>;
              default:
                return row satisfies never;
            }
          }}
        </VirtualList>
      </div>
      <FlowStrips flow={timeline.flow} axis={axis} bands={bands} now={now} />
      <Legend />
      {chosen && (
        <LineCard
          farmUID={shown.farmUID}
          line={chosen}
          telling={{ zone, now }}
          onClose={() => setCard(null)}
        />
      )}
      {opened && (
        <TurnCard
          farmUID={shown.farmUID}
          unit={opened.unit}
          turn={opened.turn}
          telling={{ zone, now }}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}

const keyOf = (row: Row): string =>
  row.kind === 'line'
    ? `line ${row.line.id}`
    : row.kind === 'unit'
      ? `unit ${row.line.id} ${row.unit.uid}`
      : `note ${row.line}`;

/** The lines, each followed by its sprinklers where it is opened: at once where they are there. */
function useRows(
  { lines }: Timeline,
  open: ReadonlySet<string>,
  { shown, query }: ReturnType<typeof useTimeline>,
): Row[] {
  const client = useQueryClient();
  const opened = lines.filter(({ id }) => open.has(id));
  const answers = useQueries({ queries: opened.map(({ id }) => lineUnitsQuery(client, shown, id)) });
  useRenewal(shown, query.dataUpdatedAt);
  const answerOf = new Map(opened.map(({ id }, place) => [id, answers[place]]));
  return lines.flatMap((line): Row[] => {
    const answer = answerOf.get(line.id);
    if (!answer) return [{ kind: 'line', line }];
    const units = answer.data?.map((unit): Row => ({ kind: 'unit', unit, line }));
    const text = answer.isError ? 'Its sprinklers couldn’t be loaded.' : 'Loading its sprinklers…';
    return [{ kind: 'line', line }, ...(units ?? [{ kind: 'note' as const, text, line: line.id }])];
  });
}

/** Open lines are asked for again whenever all lines were. */
function useRenewal({ farmUID }: Shown, at: number): void {
  const client = useQueryClient();
  useEffect(() => void renewLineUnits(client, farmUID, at), [client, farmUID, at]);
}

/** Nights behind the times of the water supply; the same ones until something of them changes. */
function useBands({ axis: { from, to }, shown: { farmUID }, zone }: ReturnType<typeof useTimeline>): Band[] {
  const { data: supply } = useQuery(supplyQuery(farmUID));
  const farm = useQuery(farmsCardQuery).data?.find(({ _id }) => _id === farmUID);
  return useMemo(
    () => [
      ...(farm ? nightBands(farm, { from, to }) : []),
      ...(supply ? bandsOf(zone, { from, to }, supply) : []),
    ],
    [from, to, zone, supply, farm],
  );
}
