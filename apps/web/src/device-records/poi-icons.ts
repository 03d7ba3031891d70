import type { PoiIcon } from '@headrace/contract/pois';

export const iconWords: Record<PoiIcon, string> = {
  pin: 'Pin',
  gate: 'Gate',
  hydrant: 'Hydrant',
  pump: 'Pump',
  valve: 'Valve',
  trough: 'Trough',
  shed: 'Shed',
  hazard: 'Hazard',
};
export const isIcon = (icon: string): icon is PoiIcon => icon in iconWords;
export const iconText = (icon: string): string => (isIcon(icon) ? iconWords[icon] : icon);
export const iconOptions = (Object.keys(iconWords) as PoiIcon[]).map((value) => ({
  value,
  label: iconWords[value],
}));
