import { type RefObject, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { EChartsOption } from 'echarts';
import { Button, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconChartLine, IconTable } from '@tabler/icons-react';
import { OnDemand } from '../ui/on-demand.tsx';
import type { Scheme } from '../ui/tokens.ts';
import { useIsSeen } from '../ui/use-is-seen.ts';
import { usePrinted } from '../ui/use-printed.ts';
import { chartPalettes } from './chart-palette.ts';
import type { ChartTable } from './data-table.tsx';
import type { Drawn } from './engine.ts';
import { ExportButton } from './export-button.tsx';
import { Legend, type LegendEntry } from './legend.tsx';
import type { Pinch } from './pinch.ts';
import { usePick } from './use-pick.ts';
import { usePinch } from './use-pinch.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import classes from './chart.module.css';

export interface ChartProps {
  /** What it is: "Level of Top tank". */
  label: string;
  /** What it says in a sentence, for those who don't see it. */
  summary: string;
  /** The picture of the data; called again for another width or colour scheme. Memoised: another function draws anew. */
  option: (frame: { width: number; scheme: Scheme }) => EChartsOption;
  table: () => ChartTable;
  /** Name of an exported file, without its ending; marks that not every system takes in one become dashes. */
  fileName: string;
  /** Series that one may hide. */
  legend?: readonly LegendEntry[] | undefined;
  /** What two fingers on the chart do on narrow screens. */
  onPinch?: ((pinch: Pinch) => void) | undefined;
  /** What a click does: on the value of the axis below, or the number of its category. There is another way to it beside the chart. */
  onPick?: ((at: number) => void) | undefined;
}

/** There once the library is. */
let drawHere: ((element: HTMLElement) => Drawn) | undefined;
const engine = async () => {
  const loaded = await import('./engine.ts');
  drawHere = loaded.draw;
  return loaded;
};
/** Fetches the drawing library while the data is still on its way. A failure shows when the chart is drawn. */
export function warmCharts(): void {
  engine().catch(() => undefined);
}
/** The same once the page has nothing better to do. */
export function warmChartsLater(): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(warmCharts);
  else setTimeout(warmCharts, 1000);
}

/** A chart nearer to the window than this is drawn, px: it costs a slow phone half a second, and some are never looked at. */
const NEAR_PX = 100;

const loadTable = () => import('./data-table.tsx');
const DataTable = lazyPart(() => loadTable().then((m) => m.DataTable), {
  failed: "The table couldn't be loaded",
  waiting: <div className={classes.area} />,
});
const loadExportMenu = async () => (await import('./export-menu.tsx')).ExportMenu;

/** A chart with its table and its exports. The drawing library comes with the first one. */
export function Chart(props: ChartProps) {
  const { label, summary, table, legend } = props;
  const scheme = useScheme();
  const [isTable, setIsTable] = useState(false);
  const summaryId = useId();
  return (
    <figure className={classes.figure} aria-label={label}>
      <figcaption id={summaryId} className={classes.spoken}>
        {summary}
      </figcaption>
      {legend && <Legend entries={legend} palette={chartPalettes[scheme]} />}
      {isTable ? <DataTable table={table()} label={label} /> : <Drawing {...props} summaryId={summaryId} />}
      <div className={classes.tools}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={isTable ? <IconChartLine size={16} /> : <IconTable size={16} />}
          onClick={() => setIsTable((is) => !is)}
        >
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
        <OnDemand load={loadExportMenu} given={props}>
          {(ask) => <ExportButton onClick={ask} />}
        </OnDemand>
      </div>
    </figure>
  );
}

/** The scheme that a chart is drawn in: paper is white. */
function useScheme(): Scheme {
  const onScreen = useComputedColorScheme('light', { getInitialValueInEffect: false });
  return usePrinted() ? 'light' : onScreen;
}

/** The chart once it is near, or printed. */
function useDrawn(element: RefObject<HTMLDivElement | null>): { drawn: Drawn | null; hasFailed: boolean } {
  const isSeen = useIsSeen(element, NEAR_PX);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [hasFailed, setHasFailed] = useState(false);

  // Also for a chart that nobody scrolls to: it may be printed, and then it is too late to fetch anything.
  useEffect(warmChartsLater, []);

  useEffect(() => {
    if (!isSeen || drawn) return undefined;
    let isOver = false;
    const start = async () => {
      try {
        const { draw } = await engine();
        if (!isOver && element.current) setDrawn(draw(element.current));
      } catch {
        setHasFailed(true);
      }
    };
    void start();
    return () => {
      isOver = true;
    };
  }, [element, isSeen, drawn]);

  useEffect(() => {
    if (drawn) return undefined;
    // The paper is drawn right after this event: nothing may be waited for.
    const drawNow = () => {
      const chart = element.current && drawHere?.(element.current);
      if (chart) flushSync(() => setDrawn(chart));
    };
    addEventListener('beforeprint', drawNow);
    return () => removeEventListener('beforeprint', drawNow);
  }, [element, drawn]);

  useEffect(() => () => drawn?.dispose(), [drawn]);
  return { drawn, hasFailed };
}

function Drawing({ label, option, onPinch, onPick, summaryId }: ChartProps & { summaryId: string }) {
  const scheme = useScheme();
  const { ref: sized, width } = useElementSize<HTMLDivElement>();
  const element = useRef<HTMLDivElement>(null);
  usePinch(element, onPinch);
  const { drawn, hasFailed } = useDrawn(element);
  usePick(element, drawn, onPick);

  useEffect(() => {
    // What isn't laid out out of sight has told no width yet when the page is printed: asking lays it out.
    const px = width || (drawn && element.current?.clientWidth) || 0;
    if (!drawn || px === 0) return;
    drawn.resize();
    drawn.setOption(option({ width: px, scheme }), { notMerge: true });
    // Painted now, not a frame later: what stood in the chart's place has just gone.
    drawn.getZr().flush();
  }, [drawn, option, width, scheme]);

  return (
    <div ref={sized} className={classes.area} aria-busy={!drawn && !hasFailed}>
      {!drawn && !hasFailed && <div className={classes.waiting} aria-hidden="true" />}
      {hasFailed && (
        <p className={classes.failed}>The chart couldn't be drawn. Its numbers are in the table.</p>
      )}
      <div
        ref={element}
        className={classes.canvas}
        data-pinch={onPinch !== undefined || undefined}
        role="img"
        aria-label={label}
        aria-describedby={summaryId}
      />
    </div>
  );
}
