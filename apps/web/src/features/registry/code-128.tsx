import JsBarcode from 'jsbarcode';
import classes from './registry.module.css';

/** Of blank on both sides, so that readers see where it begins, in widths of the narrowest bar. ISO/IEC 15417 */
const QUIET = 10;
const HEIGHT = 48;

/** A text as a Code 128, black on white in dark mode too: readers want it so. Nothing for letters beyond ASCII. */
export function Code128({ text }: { text: string }) {
  const bars = barsOf(text);
  if (bars === null)
    return (
      <p className={classes.hint}>These characters have no bar code: only plain letters and digits do.</p>
    );
  const width = bars.length + 2 * QUIET;
  return (
    <figure className={classes.code}>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={`Bar code of ${text}`}>
        <path d={pathOf(bars)} fill="#000" shapeRendering="crispEdges" />
      </svg>
      <figcaption>{text}</figcaption>
    </figure>
  );
}

/** One digit for each of the narrowest width, 1 is black; null: it can't be written so. */
function barsOf(text: string): string | null {
  const drawing: { encodings?: readonly { readonly data: string }[] } = {};
  let isValid = false;
  JsBarcode(drawing, text, { format: 'CODE128', valid: (valid) => (isValid = valid) });
  return isValid ? (drawing.encodings ?? []).map(({ data }) => data).join('') : null;
}

const pathOf = (bars: string): string =>
  [...bars.matchAll(/1+/g)]
    .map(({ 0: bar, index }) => `M${index + QUIET} 0h${bar.length}v${HEIGHT}h-${bar.length}z`)
    .join('');
