/**
 * Where to go after signing in: a path of this site and nothing else. Browsers read `\` as `/` and drop tabs and
 * line breaks, so a path with any of those could still leave the site.
 */
export function safeRedirect(wanted: string | undefined, origin = location.origin): string | null {
  if (!wanted || !/^\/(?![/\\])/.test(wanted) || /[\\\p{Cc}]/u.test(wanted)) return null;
  try {
    const url = new URL(wanted, origin);
    // Of /..//x the path is //x, which would be another site's address.
    const isOwn = url.origin === origin && !url.pathname.startsWith('//');
    return isOwn ? url.pathname + url.search + url.hash : null;
  } catch {
    return null;
  }
}
