/** What a WMTS calls the parts of a tile's address, and what XYZ calls them. The matrix set must be Web Mercator's. */
const NAMES: readonly (readonly [RegExp, string])[] = [
  [/\{tilematrix\}/gi, '{z}'],
  [/\{tilecol\}/gi, '{x}'],
  [/\{tilerow\}/gi, '{y}'],
];

/** A configured tile address, XYZ or WMTS (by path or by parameters), as the map's library takes it. */
export const tileTemplate = (url: string): string =>
  NAMES.reduce((template, [theirs, ours]) => template.replace(theirs, ours), url);
