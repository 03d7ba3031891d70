import type { Rolldown } from 'vite';

/** What is opened together, and the modules with which it begins. */
const OCCASIONS: Readonly<Record<string, readonly string[]>> = {
  first: ['main.tsx'],
  frame: ['ui/kit-provider.tsx', 'app/shell.tsx', 'ui/toast-host.tsx'],
  // Most pages have a part that comes later.
  in: ['app/header.tsx', 'app/signed-in.tsx', 'app/on-farm.ts', 'ui/lazy-part.tsx'],
  out: ['features/accounts/login-page.tsx'],
  home: ['features/farms/home-page.tsx'],
  dashboard: ['features/dashboard/dashboard-page.tsx', 'features/tanks/tank-levels.tsx'],
  cards: [
    'features/headlines/headline-row.tsx',
    'features/soil-moisture/soil-moisture-card.tsx',
    'features/flow/flow-card.tsx',
    'features/gateway-io/gateway-io-card.tsx',
  ],
  devices: ['app/device-form-page.tsx', 'app/device-list-page.tsx'],
};

/**
 * Names the file of a module that several pages share: with the others that are wanted on the same occasions. The bundler's own way,
 * a file for each set of pages, made a hundred and fifteen files of the dashboard, and each costs a phone some milliseconds. Null where
 * its way is right: the module is of one page, of the first file, or of pages that aren't named here.
 */
export function pieces(source: string): Rolldown.CodeSplittingNameFunction {
  let wanted: Map<string, Set<string>> | undefined;
  return (id, graph) => {
    wanted ??= new Map(
      Object.entries(OCCASIONS).map(([occasion, begins]) => [
        occasion,
        withImports(
          begins.map((module) => `${source}/${module}`),
          graph,
        ),
      ]),
    );
    const info = graph.getModuleInfo(id);
    if (!info || info.isEntry || info.dynamicImporters.length > 0) return null;
    return nameFor([...wanted].flatMap(([occasion, modules]) => (modules.has(id) ? [occasion] : [])));
  };
}

function nameFor(occasions: readonly string[]): string | null {
  const isOn = (occasion: string) => occasions.includes(occasion);
  if (occasions.length === 0 || isOn('first')) return null;
  if (isOn('frame') || (isOn('in') && isOn('out'))) return 'every-page';
  if (isOn('in')) return 'signed-in-pages';
  const named = occasions.filter((occasion) => occasion !== 'devices').join('-');
  // Pages of devices share so much with cards that it is a piece of its own; of their other modules each page takes its own.
  return named === 'cards' && isOn('devices') ? 'cards-devices' : named || null;
}

/** These modules with all of ours that they import before they run. */
function withImports(begins: readonly string[], graph: Rolldown.ChunkingContext): Set<string> {
  const seen = new Set<string>();
  const waiting = [...begins];
  for (const id of waiting) {
    if (seen.has(id) || id.includes('node_modules')) continue;
    const info = graph.getModuleInfo(id);
    if (!info) throw new Error(`${id} is gone: name it anew in vite/pieces.ts`);
    seen.add(id);
    waiting.push(...info.importedIds);
  }
  return seen;
}
