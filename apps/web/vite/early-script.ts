import { readFileSync } from 'node:fs';
import type { Plugin, Rolldown } from 'vite';

/** What is open first, and the modules that it can't do without. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  in: ['ui/kit-provider.tsx', 'app/shell.tsx', 'app/header.tsx', 'app/signed-in.tsx', 'app/on-farm.ts'],
  out: ['ui/kit-provider.tsx', 'app/shell.tsx', 'features/accounts/login-page.tsx'],
  '/': ['features/farms/home-page.tsx'],
  '/dashboard': ['features/dashboard/dashboard-page.tsx'],
};

/** Writes /early.js with the names that this build gave to the pieces of the first pages, and has index.html load it. */
export function earlyScript(): Plugin {
  return {
    name: 'headrace-early-script',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'script', attrs: { src: '/early.js', async: true }, injectTo: 'head-prepend' }],
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((one): one is Rolldown.OutputChunk => one.type === 'chunk');
      const first = withAll(
        chunks.filter(({ isEntry }) => isEntry),
        bundle,
      );
      const pieces = Object.fromEntries(
        Object.entries(PAGES).map(([page, modules]) => {
          const wanted = modules.map((module) => chunkOf(chunks, module));
          const files = [...withAll(wanted, bundle)].filter((file) => !first.has(file));
          return [page, files.map((file) => `/${file}`)];
        }),
      );
      const source = readFileSync(new URL('./early.js', import.meta.url), 'utf8').replace(
        '%PIECES%',
        JSON.stringify(pieces),
      );
      this.emitFile({ type: 'asset', fileName: 'early.js', source });
    },
  };
}

/** Throws where a module has moved: the list above must follow. */
function chunkOf(chunks: readonly Rolldown.OutputChunk[], module: string): Rolldown.OutputChunk {
  const found = chunks.find(({ moduleIds }) =>
    moduleIds.some((id) => id.endsWith(`/apps/web/src/${module}`)),
  );
  if (!found)
    throw new Error(`No piece of the build holds ${module}: vite/early-script.ts names a file that moved.`);
  return found;
}

/** The names of these chunks, of all that they import, and of their style sheets. */
function withAll(chunks: readonly Rolldown.OutputChunk[], bundle: Rolldown.OutputBundle): Set<string> {
  const names = new Set<string>();
  const add = (chunk: Rolldown.OutputChunk) => {
    if (names.has(chunk.fileName)) return;
    names.add(chunk.fileName);
    for (const css of chunk.viteMetadata?.importedCss ?? []) names.add(css);
    for (const name of chunk.imports) {
      const next = bundle[name];
      if (next?.type === 'chunk') add(next);
    }
  };
  chunks.forEach(add);
  return names;
}
