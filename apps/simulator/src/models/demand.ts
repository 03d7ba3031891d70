import type { TankUse } from '@headrace/demo/profile';

/** How water is drawn over a day. Every curve has mean 1 over 24 hours. */
type Curve = (hour: number) => number;

const bump = (hour: number, peak: number, width: number): number => Math.exp(-(((hour - peak) / width) ** 2));
const within = (hour: number, from: number, to: number): boolean => hour >= from && hour < to;

/** Stock drink after the morning grazing and most of all in the late afternoon, and not between 02:00 and 06:00. */
function stock(hour: number): number {
  if (within(hour, 2, 6)) return 0;
  const night = hour < 2 || hour >= 21 ? 0.06 : 0.15;
  return night + 1.6 * bump(hour, 8.3, 1.4) + 0.5 * bump(hour, 12.5, 2) + 2 * bump(hour, 17, 1.9);
}

function house(hour: number): number {
  if (hour < 5.5 || hour >= 23.5) return 0;
  return 0.25 + 1.5 * bump(hour, 7.5, 1) + 0.4 * bump(hour, 12.5, 1) + 1.6 * bump(hour, 19, 1.7);
}

/** Two milkings (plate cooler and plant), each with a wash-down after it. */
function dairyShed(hour: number): number {
  const milking = within(hour, 6, 8.8) || within(hour, 14.5, 16.8) ? 1 : 0;
  const wash = within(hour, 8.8, 9.8) || within(hour, 16.8, 17.7) ? 3.2 : 0;
  return milking + wash;
}

function wash(hour: number): number {
  return within(hour, 8, 9.5) || within(hour, 17, 18.2) ? 3 : within(hour, 6, 20) ? 0.2 : 0;
}

const shapes: Record<TankUse, Curve> = { stock, house, 'dairy-shed': dairyShed, wash, none: () => 0 };

function meanOf(curve: Curve): number {
  let sum = 0;
  for (let slot = 0; slot < 144; slot += 1) sum += curve((slot + 0.5) / 6);
  return sum / 144 || 1;
}

const means: Record<TankUse, number> = {
  stock: meanOf(stock),
  house: meanOf(house),
  'dairy-shed': meanOf(dairyShed),
  wash: meanOf(wash),
  none: 1,
};

/** Share of the ten-minute slots in which nobody draws: a meter that never rests is a leak. */
const idleShare: Record<TankUse, number> = { stock: 0.4, house: 0.6, 'dairy-shed': 0.1, wash: 0.3, none: 0 };

/** Share of the year's mean drawn in a month (southern hemisphere): hot months more, and a dairy herd is dry in June and July. */
function seasonFactor(use: TankUse, month: number): number {
  if (use === 'dairy-shed' && (month === 6 || month === 7)) return 0.15;
  const summer = Math.cos((2 * Math.PI * (month - 1)) / 12);
  return use === 'wash' || use === 'dairy-shed' ? 1 : 1 + 0.28 * summer;
}

export type DemandInput = {
  readonly use: TankUse;
  readonly litresPerDay: number;
  readonly hour: number;
  readonly month: number;
  /** 0 to 1: this slot's chance. */
  readonly slotChance: number;
  /** 0 to 1: this day's chance; days differ by a sixth either way. */
  readonly dayChance: number;
};

/** Litres a minute drawn in one slot. */
export function demandLpm(input: DemandInput): number {
  const { use } = input;
  const curve = shapes[use](input.hour) / means[use];
  const share = idleShare[use];
  const burst = input.slotChance < share ? 0 : 1 / (1 - share);
  const day = 1 + (input.dayChance - 0.5) / 3;
  return (input.litresPerDay / 1440) * curve * burst * day * seasonFactor(use, input.month);
}
