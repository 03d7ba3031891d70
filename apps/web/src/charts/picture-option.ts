import type { EChartsOption, LegendComponentOption } from 'echarts';
import type { ChartPalette } from './chart-palette.ts';

export interface PictureParts {
  title: string;
  /** Names of the series that the legend on the page shows as on; undefined: the chart has no such legend. */
  shown: readonly string[] | undefined;
  palette: ChartPalette;
}

const [MARGIN, TITLE, LINE] = [16, 60, 24];
/** Entries of a picture's legend in one line. */
const PER_LINE = 6;

/** A chart as a picture carries it away: with its title, and its legend in words. */
export function pictureOption(drawn: EChartsOption, { title, shown, palette }: PictureParts): EChartsOption {
  const own = drawn.legend as LegendComponentOption | undefined;
  const legend = own ?? (shown && { data: [...shown], icon: 'roundRect', itemWidth: 14, itemHeight: 6 });
  const lines = legend ? Math.ceil((shown?.length ?? 1) / PER_LINE) : 0;
  return {
    ...drawn,
    ...(legend && {
      legend: {
        itemGap: 18,
        textStyle: { color: palette.text, fontSize: 12 },
        ...legend,
        top: 46,
        left: MARGIN,
        right: MARGIN,
      },
    }),
    title: {
      text: title,
      left: MARGIN,
      top: 12,
      textStyle: { color: palette.text, fontSize: 18, fontWeight: 600 },
    },
    grid: {
      ...(drawn.grid as object),
      left: 20,
      right: 28,
      top: TITLE + (lines > 0 ? 8 + lines * LINE : 0),
      bottom: MARGIN,
    },
  };
}
