import type { Ink } from './paper.ts';

/** On white: text and marks at least 4.5:1, also printed in gray. */
export const inks: Readonly<Record<Ink, string>> = {
  text: '#12232b',
  dim: '#51626c',
  rule: '#b9c8cf',
  pale: '#cfdfe8',
  middle: '#7d9fb5',
  deep: '#0f5278',
  warning: '#9a4a06',
  ok: '#1b7f3b',
  watering: '#1459b0',
  caution: '#9a4a06',
  issue: '#b41c2a',
  inhibited: '#4c5a63',
  spare: '#6b6f76',
};
