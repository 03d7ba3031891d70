/** A piece of an attribution: words, with where they lead. */
export interface Credit {
  text: string;
  href?: string;
}

export const LAND_CREDITS: readonly Credit[] = [
  { text: 'Land © OpenStreetMap contributors', href: 'https://www.openstreetmap.org/copyright' },
  { text: 'Towns: GeoNames', href: 'https://www.geonames.org' },
];

/** A configured attribution, often HTML, as words and web links: nothing of it is run as markup. */
export function readCredits(attribution: string): Credit[] {
  if (!attribution.trim()) return [];
  const { body } = new DOMParser().parseFromString(attribution, 'text/html');
  return [...body.childNodes].flatMap((node) => {
    const text = node.textContent?.trim() ?? '';
    if (!text) return [];
    const href = node instanceof Element ? (node.getAttribute('href') ?? '') : '';
    return [/^https?:\/\//i.test(href) ? { text, href } : { text }];
  });
}
