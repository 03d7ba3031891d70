import type { PoiIcon } from '@headrace/contract/pois';

export const iconLabels: Record<PoiIcon, string> = {
  pin: 'Pin',
  gate: 'Gate',
  hydrant: 'Hydrant',
  pump: 'Pump',
  valve: 'Valve',
  trough: 'Trough',
  shed: 'Shed',
  hazard: 'Hazard',
};
export const isIcon = (icon: string): icon is PoiIcon => icon in iconLabels;
export const iconText = (icon: string): string => (isIcon(icon) ? iconLabels[icon] : icon);
export const iconOptions = (Object.keys(iconLabels) as PoiIcon[]).map((value) => ({
  value,
  label: iconLabels[value],
}));
