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
}

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
  };
}

export const chartPalettes: Record<Scheme, ChartPalette> = {
  light: paletteOf('light'),
  dark: paletteOf('dark'),
};
