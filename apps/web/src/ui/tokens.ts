/**
 * Every colour that means something, in one place. The page reads them as CSS variables (`var(--hr-ok)`),
 * canvases (map, charts) read `conditionColours`. Contrast to the surface: at least 3:1 as a shape, 4.5:1 as text.
 */
export type Scheme = 'light' | 'dark';

/** The specification's conditions: map marker, list dot, chart and report mean the same by them. */
export const conditions = [
  'ok',
  'watering',
  'caution',
  'issue',
  'inhibited',
  'spare',
  'sensor',
  'poi',
] as const;
export type Condition = (typeof conditions)[number];

export const conditionColours: Record<Scheme, Record<Condition, string>> = {
  light: {
    ok: '#1b7f3b',
    watering: '#1769d2',
    caution: '#b45309',
    issue: '#c8202f',
    inhibited: '#5b6871',
    spare: '#c22a7a',
    sensor: '#7440c8',
    poi: '#85562b',
  },
  dark: {
    ok: '#4fc873',
    watering: '#66adff',
    caution: '#f5a44a',
    issue: '#ff7b78',
    inhibited: '#a3b0b8',
    spare: '#f58fc2',
    sensor: '#b99bf7',
    poi: '#cfa377',
  },
};

/** What a condition is called where no better word is at hand. */
export const conditionLabels: Record<Condition, string> = {
  ok: 'OK',
  watering: 'Watering',
  caution: 'Caution',
  issue: 'Issue',
  inhibited: 'Inhibited',
  spare: 'Spare',
  sensor: 'Sensor',
  poi: 'Point of interest',
};

export const surfaces: Record<Scheme, Record<string, string>> = {
  light: {
    page: '#f4f8f9',
    surface: '#ffffff',
    raised: '#ffffff',
    sunken: '#edf3f5',
    line: '#dbe5e9',
    'line-strong': '#b9c8cf',
    text: '#12232b',
    dim: '#51626c',
    focus: '#0b7285',
    brand: '#0b7285',
    'brand-soft': '#e2f4f7',
    'brand-text': '#095c6b',
    water: '#2a9fd0',
    'water-deep': '#1279ad',
    map: '#cfe3ec',
    'map-waiting': '#dfebf1',
    shadow: '0 1px 2px rgb(18 45 56 / 5%), 0 4px 16px rgb(18 45 56 / 5%)',
    'shadow-high': '0 2px 6px rgb(18 45 56 / 8%), 0 12px 32px rgb(18 45 56 / 14%)',
  },
  dark: {
    page: '#0e1519',
    surface: '#162026',
    raised: '#1d2930',
    sunken: '#111a1f',
    line: '#283740',
    'line-strong': '#425661',
    text: '#e6eef1',
    dim: '#a5b5bd',
    focus: '#5ccfe0',
    brand: '#0b7285',
    'brand-soft': '#10323a',
    'brand-text': '#7ad9e8',
    water: '#3aa6d8',
    'water-deep': '#1d7fb2',
    map: '#0b1418',
    'map-waiting': '#0f191e',
    shadow: '0 1px 2px rgb(0 0 0 / 30%)',
    'shadow-high': '0 2px 6px rgb(0 0 0 / 35%), 0 12px 32px rgb(0 0 0 / 50%)',
  },
};

/** The same in both schemes: what stands on a fill of its own, on a picture or on paper. */
const fixed: Record<string, string> = {
  'on-fill': '#ffffff',
  'brand-deep': '#095c6b',
  danger: '#b81d2b',
  'danger-deep': '#9a1522',
  low: '#f0b23a',
  'low-deep': '#d08409',
  paper: '#ffffff',
  ink: '#000000',
  shade: 'rgb(0 0 0 / 22%)',
  'picture-line': 'rgb(255 255 255 / 85%)',
  'picture-shade': 'rgb(0 0 0 / 28%)',
  'picture-button': 'rgb(0 0 0 / 60%)',
  pegman: '#f7b500',
  'pegman-line': '#6b4a00',
};

/** The tokens of a scheme as CSS variables: `--hr-page`, `--hr-ok` and so on. `-soft` is a tint to stand text on. */
export function tokenVariables(scheme: Scheme): Record<string, string> {
  const variables = Object.entries({ ...fixed, ...surfaces[scheme] }).map(([name, value]) => [
    `--hr-${name}`,
    value,
  ]);
  const share = scheme === 'light' ? '10%' : '18%';
  for (const name of conditions) {
    const colour = conditionColours[scheme][name];
    variables.push(
      [`--hr-${name}`, colour],
      [`--hr-${name}-soft`, `color-mix(in srgb, ${colour} ${share}, ${surfaces[scheme].surface})`],
    );
  }
  return Object.fromEntries(variables);
}
