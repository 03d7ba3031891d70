import { conditionColours, surfaces, type Scheme } from '../ui/tokens.ts';

export interface ChartPalette {
  text: string;
  dim: string;
  line: string;
  paper: string;
  /** Water: levels, usage, flow. */
  water: string;
  second: string;
  third: string;
  ok: string;
  caution: string;
  issue: string;
  rain: string;
  /** Things of one kind beside each other: meters, probes. */
  series: readonly string[];
}

/** Told apart by lightness too. None is a condition's colour. */
const seriesColours: Record<Scheme, readonly string[]> = {
  light: ['#0f7cb4', '#8e5bd6', '#a8620b', '#1f8a70', '#b53a7d', '#6d7a1f', '#4050b0', '#7b5a44'],
  dark: ['#58b9e8', '#bda3f8', '#eda85c', '#5fcdb0', '#f094c4', '#bccb66', '#93a2f7', '#cda98f'],
};

function paletteOf(scheme: Scheme): ChartPalette {
  const surface = surfaces[scheme];
  const colours = conditionColours[scheme];
  return {
    text: surface.text ?? '',
    dim: surface.dim ?? '',
    line: surface.line ?? '',
    paper: surface.surface ?? '',
    water: scheme === 'light' ? '#0f7cb4' : '#58b9e8',
    second: colours.sensor,
    third: scheme === 'light' ? '#b45309' : '#f5a44a',
    ok: colours.ok,
    caution: colours.caution,
    issue: colours.issue,
    rain: scheme === 'light' ? '#3f6fd8' : '#7ea6ff',
    series: seriesColours[scheme],
  };
}

export const chartPalettes: Record<Scheme, ChartPalette> = {
  light: paletteOf('light'),
  dark: paletteOf('dark'),
};

/** The colour of the nth thing of a kind. */
export const seriesColour = ({ series, water }: ChartPalette, nth: number): string =>
  series[nth % series.length] ?? water;

/** `share` of a colour on another, both #rrggbb, without transparency: what lies behind doesn't shine through. */
export function mixed(colour: string, on: string, share: number): string {
  const parts = [1, 3, 5].map((at) => {
    const [a, b] = [colour, on].map((text) => Number.parseInt(text.slice(at, at + 2), 16));
    return Math.round((a ?? 0) * share + (b ?? 0) * (1 - share));
  });
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
