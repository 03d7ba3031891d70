import {
  IconBattery,
  IconBattery1,
  IconBattery2,
  IconBattery3,
  IconBattery4,
  type TablerIcon,
} from '@tabler/icons-react';

/** Up to so many percent a battery is drawn with 0, 1, 2 or 3 of its bars; above with all four. spec 2 §9 */
const STEPS = [5, 25, 50, 75];
const icons: readonly TablerIcon[] = [IconBattery, IconBattery1, IconBattery2, IconBattery3];

/** A battery as full as `charge` (%), beside the number that says it. */
export function BatteryIcon({ charge, size = 26 }: { charge: number; size?: number }) {
  const step = STEPS.findIndex((most) => charge <= most);
  const Icon = icons[step] ?? IconBattery4;
  return <Icon size={size} stroke={1.7} aria-hidden="true" data-bars={step === -1 ? STEPS.length : step} />;
}
