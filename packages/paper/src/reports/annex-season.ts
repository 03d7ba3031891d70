import type { AnnexMonth } from '@headrace/contract/plan-annex';

/** A group's months, added up; what is known of none of them is null. */
export function seasonOf(months: readonly AnnexMonth[]) {
  const sum = (of: (month: AnnexMonth) => number) => months.reduce((total, month) => total + of(month), 0);
  const [days, known, read] = [sum((m) => m.days), sum((m) => m.known), sum((m) => m.read)];
  const isJudged = months.some(({ wetter }) => wetter !== null);
  return {
    days,
    known,
    mm: known === 0 ? null : sum((m) => m.mm ?? 0),
    mostMm: known === 0 ? null : sum((m) => m.mostMm ?? 0),
    notKnown: sum((m) => m.notKnown),
    wateringDays: sum((m) => m.wateringDays),
    read,
    kpa: read === 0 ? null : sum((m) => (m.kpa ?? 0) * m.read) / read,
    wetter: isJudged ? sum((m) => m.wetter ?? 0) : null,
  };
}
