import { BarChart, LineChart } from 'echarts/charts';
import {
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
} from 'echarts/components';
import { init, use, type EChartsType } from 'echarts/core';
import { CanvasRenderer, SVGRenderer } from 'echarts/renderers';
import type { EChartsOption } from 'echarts';

/** The drawing library, in a chunk of its own: only what our charts use. */
use([
  BarChart,
  LineChart,
  GridComponent,
  LegendComponent,
  MarkAreaComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  CanvasRenderer,
  SVGRenderer,
]);

export type Drawn = EChartsType;
export const draw = (element: HTMLElement): Drawn => init(element, null, { renderer: 'canvas' });

export type PictureType = 'png' | 'jpg' | 'svg';
const PICTURE = { width: 1200, height: 520, ratio: 2 } as const;

/** The chart as a picture of its own size, with its title in it. A data URL. */
export function picture(option: EChartsOption, type: PictureType, paper: string): string {
  const { width, height, ratio } = PICTURE;
  if (type === 'svg') {
    const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
    chart.setOption({ ...option, backgroundColor: paper });
    const text = chart.renderToSVGString();
    chart.dispose();
    return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  }
  const box = document.createElement('div');
  const chart = init(box, null, { renderer: 'canvas', width, height, devicePixelRatio: ratio });
  chart.setOption({ ...option, backgroundColor: paper });
  const url = chart.getDataURL({
    type: type === 'png' ? 'png' : 'jpeg',
    pixelRatio: ratio,
    backgroundColor: paper,
  });
  chart.dispose();
  return url;
}
export const PICTURE_WIDTH = PICTURE.width;
