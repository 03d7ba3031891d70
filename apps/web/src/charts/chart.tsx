import { useEffect, useId, useMemo, useRef, useState } from 'react';
import type { EChartsOption } from 'echarts';
import { Button, Menu, Table, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconChartLine, IconDownload, IconTable } from '@tabler/icons-react';
import type { Scheme } from '../ui/tokens.ts';
import { toast } from '../ui/toasts.ts';
import { useIsSeen } from '../ui/use-is-seen.ts';
import { chartPalettes } from './chart-palette.ts';
import type { Drawn, PictureType } from './engine.ts';
import { Legend, type LegendEntry } from './legend.tsx';
import type { Pinch } from './pinch.ts';
import { pictureOption } from './picture-option.ts';
import { usePinch } from './use-pinch.ts';
import classes from './chart.module.css';

export interface ChartTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

export interface ChartProps {
  /** What it is: "Level of Top tank". */
  label: string;
  /** What it says in a sentence, for those who don't see it. */
  summary: string;
  /** The picture of the data; called again for another width or colour scheme. Memoised: another function draws anew. */
  option: (frame: { width: number; scheme: Scheme }) => EChartsOption;
  table: () => ChartTable;
  /** Name of an exported file, without its ending. */
  fileName: string;
  /** Series that one may hide. */
  legend?: readonly LegendEntry[] | undefined;
  /** What two fingers on the chart do on narrow screens. */
  onPinch?: ((pinch: Pinch) => void) | undefined;
}

const engine = () => import('./engine.ts');
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
const PICTURES: readonly PictureType[] = ['png', 'jpg', 'svg'];

/** A chart with its table and its exports. The drawing library comes with the first one. */
export function Chart(props: ChartProps) {
  const { label, summary, table, legend } = props;
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
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
        <ExportMenu {...props} />
      </div>
    </figure>
  );
}

function Drawing({ label, option, onPinch, summaryId }: ChartProps & { summaryId: string }) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const { ref: sized, width } = useElementSize<HTMLDivElement>();
  const element = useRef<HTMLDivElement>(null);
  usePinch(element, onPinch);
  const isSeen = useIsSeen(element, NEAR_PX);
  const [drawn, setDrawn] = useState<Drawn | null>(null);
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(() => {
    if (!isSeen) return undefined;
    let chart: Drawn | null = null;
    let isOver = false;
    const start = async () => {
      try {
        const { draw } = await engine();
        if (isOver || !element.current) return;
        chart = draw(element.current);
        setDrawn(chart);
      } catch {
        setHasFailed(true);
      }
    };
    void start();
    return () => {
      isOver = true;
      chart?.dispose();
    };
  }, [isSeen]);

  useEffect(() => {
    if (!drawn || width === 0) return;
    drawn.resize();
    drawn.setOption(option({ width, scheme }), { notMerge: true });
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

function DataTable({ table: { head, rows }, label }: { table: ChartTable; label: string }) {
  // The hour that the clock repeats in autumn has the same words twice.
  const keyed = useMemo(() => rows.map((row, nth) => ({ key: `${nth} ${row[0]}`, row })), [rows]);
  return (
    // The rows scroll: the keyboard must get there.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.scroll} tabIndex={0} aria-label={`${label} as a table`}>
      <Table stickyHeader striped>
        <Table.Thead>
          <Table.Tr>
            {head.map((word) => (
              <Table.Th key={word}>{word}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keyed.map(({ key, row }) => (
            <Table.Tr key={key}>
              {row.map((cell, index) => (
                <Table.Td key={head[index]} className="num">
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function ExportMenu({ label, option, fileName, legend }: ChartProps) {
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const save = async (type: PictureType) => {
    const { picture, PICTURE_WIDTH } = await engine();
    const palette = chartPalettes[scheme];
    const drawn = option({ width: PICTURE_WIDTH, scheme });
    const shown = legend?.filter(({ isOn }) => isOn).map(({ name }) => name);
    const link = document.createElement('a');
    link.href = picture(pictureOption(drawn, { title: label, shown, palette }), type, palette.paper);
    link.download = `${fileName}.${type}`;
    link.click();
  };
  return (
    <Menu position="top-end" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="subtle" size="compact-sm" leftSection={<IconDownload size={16} />}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {PICTURES.map((type) => (
          <Menu.Item
            key={type}
            onClick={() =>
              void save(type).catch(() => toast.error("The chart couldn't be exported. Please try again."))
            }
          >
            {type.toUpperCase()}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
