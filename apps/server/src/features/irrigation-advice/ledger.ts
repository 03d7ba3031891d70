import type { LedgerDay } from '@headrace/contract/irrigation-advice';
import type { BalanceDay } from '@headrace/contract/rules/schedule/water-balance';
import type { AdvisedRow, AppliedRow } from './advice.repo.ts';
import type { DayWeather } from './advice-days.ts';

interface LedgerFacts {
  readonly weather: (day: string) => DayWeather;
  readonly applied: ReadonlyMap<string, AppliedRow>;
  readonly balance: readonly BalanceDay[];
  readonly advised: readonly AdvisedRow[];
  readonly tawMm: number;
}

const toHundredth = (mm: number | null) => (mm === null ? null : Math.round(mm * 100) / 100);

/** A group's days as they are shown: what was used, fell, was given, advised and done. */
export function ledgerDays(
  days: readonly string[],
  { weather, applied, balance, advised, tawMm }: LedgerFacts,
  kc: number,
): LedgerDay[] {
  const balanceOf = new Map(balance.map((day) => [day.day, day]));
  const advisedOf = new Map(advised.map((row) => [row.day, row]));
  return days.map((day) => {
    const of = weather(day);
    const depletionMm = balanceOf.get(day)?.depletionMm ?? null;
    const row = advisedOf.get(day);
    return {
      day,
      ...of,
      etcMm: toHundredth(of.et0Mm === null ? null : of.et0Mm * kc),
      rainMm: toHundredth(of.rainMm),
      appliedMm: toHundredth(applied.get(day)?.mm ?? null),
      notKnown: applied.get(day)?.notKnown ?? 0,
      depletionMm: toHundredth(depletionMm),
      fullness: depletionMm === null ? null : Math.round(Math.max(0, 1 - depletionMm / tawMm) * 1000) / 1000,
      advised: toAdvised(row),
      note: row?.note ?? '',
      noteBy: row?.noteBy ?? '',
      noteAt: row?.noteAt?.toISOString() ?? null,
    };
  });
}

function toAdvised(row: AdvisedRow | undefined): LedgerDay['advised'] {
  if (!row || row.madeAt === null || row.cycles === null) return null;
  const { cycles, mm, isHeldBack, madeAt } = row;
  return { at: madeAt.toISOString(), cycles, mm: mm ?? 0, isHeldBack };
}
