import { surfaces, type Scheme } from '../ui/tokens.ts';

/** The quiet colours under the farm. What means something comes from ui/tokens. */
export interface MapPalette {
  sea: string;
  land: string;
  coast: string;
  grid: string;
  text: string;
  halo: string;
  boundary: string;
  boundaryFill: string;
  pill: string;
  pillLine: string;
}

export const mapPalettes: Record<Scheme, MapPalette> = {
  light: {
    sea: '#cfe3ec',
    land: '#f5f4ee',
    coast: '#9dbccb',
    grid: 'rgb(60 80 70 / 7%)',
    text: '#3c4d55',
    halo: 'rgb(255 255 255 / 88%)',
    boundary: '#0b7285',
    boundaryFill: '#0b7285',
    pill: surfaces.light.surface ?? '#fff',
    pillLine: 'rgb(18 45 56 / 18%)',
  },
  dark: {
    sea: '#0b1418',
    land: '#1b262b',
    coast: '#33505c',
    grid: 'rgb(200 225 230 / 5%)',
    text: '#b4c4cb',
    halo: 'rgb(14 21 25 / 88%)',
    boundary: '#5ccfe0',
    boundaryFill: '#5ccfe0',
    pill: surfaces.dark.raised ?? '#1d2930',
    pillLine: 'rgb(255 255 255 / 16%)',
  },
};
