import type { Command } from '@headrace/contract/commands';
import { afterOther } from './behind.ts';

interface Page {
  commands: Command[];
  more: boolean;
}

/**
 * Whether `a` tells of an earlier moment than `b`: messages and answers may overtake each other. Within a state only
 * the counts grow.
 */
export function isOlder(a: Command, b: Command): boolean {
  const later = Date.parse(b.stateAt) - Date.parse(a.stateAt);
  return later > 0 || (later === 0 && a.done + a.failed < b.done + b.failed);
}

/**
 * The pages, newest first, with a command as it stands now: in its place where it is known, among the first page's
 * where it is newer than the last of them. Older ones come with their own page.
 */
export function withCommand(pages: Page[], command: Command): Page[] {
  const known = pages.flatMap(({ commands }) => commands).find(({ _id }) => _id === command._id);
  if (known) return isOlder(command, known) ? pages : pages.map((page) => replaced(page, command));
  const [first, ...rest] = pages;
  if (!first) return pages;
  const place = first.commands.findIndex(({ createdAt }) => createdAt <= command.createdAt);
  if (place === -1 && (first.more || rest.length > 0)) return pages;
  const commands = first.commands.toSpliced(place === -1 ? first.commands.length : place, 0, command);
  return [{ ...first, commands }, ...rest];
}

/** The pages with what waits for a command as that stands now; the same where nothing does. */
export function withOthers(pages: Page[], news: Command): Page[] {
  if (!pages.some(({ commands }) => commands.some(({ behind }) => behind))) return pages;
  return pages.map((page) => ({ ...page, commands: page.commands.map((one) => afterOther(one, news)) }));
}

function replaced(page: Page, command: Command): Page {
  const at = page.commands.findIndex(({ _id }) => _id === command._id);
  return at === -1 ? page : { ...page, commands: page.commands.with(at, command) };
}

/** An answer that was on its way while messages came: nothing newer is lost to it. */
export function keepNewer(before: Page[], fresh: Page[]): Page[] {
  const answered = new Map(
    fresh.flatMap(({ commands }) => commands).map((command) => [command._id, command]),
  );
  const newest = fresh[0]?.commands[0]?.createdAt ?? '';
  const isNews = (command: Command) => {
    const answer = answered.get(command._id);
    return answer ? isOlder(answer, command) : command.createdAt > newest;
  };
  return before.flatMap(({ commands }) => commands.filter(isNews)).reduce(withCommand, fresh);
}
