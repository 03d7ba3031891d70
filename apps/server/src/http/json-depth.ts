const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Whether brackets of a JSON text stand more than so deep in one another, found before the text is parsed and without reading
 * further than that. Of a text that is no JSON the answer is of no use, and does no harm.
 */
export function nestsDeeperThan(levels: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    // [ and {, ] and } differ by 32.
    else if ((code | 32) === 123) {
      depth += 1;
      if (depth > levels) return true;
    } else if ((code | 32) === 125) depth -= 1;
  }
  return false;
}

/** Where the string ends that begins there. A file of 10 MB is one string: it is searched, not read letter by letter. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}
