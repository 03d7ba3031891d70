/** A link's path, query and hash when it leads to a page of this app, else null: nothing else is followed. */
export function pathWithin(link: string, origin = location.origin): string | null {
  if (!link.startsWith('/') || !URL.canParse(link, origin)) return null;
  const url = new URL(link, origin);
  return url.origin === origin ? url.pathname + url.search + url.hash : null;
}
