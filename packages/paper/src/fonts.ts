/** Inter (OFL) cut to Latin letters, figures and signs: docs/decisions/0185 says how. The same files for server and browser. */
export const fontUrls = {
  plain: new URL('../fonts/inter-400.ttf', import.meta.url),
  strong: new URL('../fonts/inter-600.ttf', import.meta.url),
} as const;

export interface Fonts {
  readonly plain: Uint8Array;
  readonly strong: Uint8Array;
}
