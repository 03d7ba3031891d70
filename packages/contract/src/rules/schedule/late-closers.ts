import { graceMs } from '../valve-belief.ts';
import type { DiaryEntry } from './unit-diary.ts';

const MINUTE = 60_000;

/** How late a valve closed, min after it was to. */
export interface LateClosing {
  /** It still said that it was open so late. */
  readonly least: number;
  /** When it said that it had closed; null: it has not. */
  readonly most: number | null;
  /** When it was to close, epoch ms. */
  readonly dueAt: number;
}

/**
 * How late a watering closed; null: not late, as far as is known. Only a word that says "open" past the end and the grace shows it, or
 * the unit's log or answer: a late report of "closed" alone says that a report was lost.
 */
export function lateClosing({ planned, said, endsAt }: LateFacts, clockS: number | null): LateClosing | null {
  if (!planned || !said || endsAt === null) return null;
  const latest = endsAt + graceMs(clockS);
  const isNotified = said.closedAt !== null && said.closedHow !== 'said' && said.closedAt > latest;
  if (said.openUntil <= latest && !isNotified) return null;
  const since = (at: number) => (at - endsAt) / MINUTE;
  const least = isNotified ? (said.closedAt ?? said.openUntil) : said.openUntil;
  return { least: since(least), most: said.closedAt === null ? null : since(said.closedAt), dueAt: endsAt };
}

type LateFacts = Pick<DiaryEntry, 'planned' | 'said' | 'endsAt'>;
