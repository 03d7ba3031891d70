import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { earlyScript } from './vite/early-script.ts';
import { pieces } from './vite/pieces.ts';
import { serviceWorker } from './vite/service-worker.ts';
import { themeCss } from './vite/theme-css.ts';

const server = process.env.HEADRACE_SERVER ?? 'http://127.0.0.1:3000';

/** Of these libraries, what only some pages use: it comes with them. */
const some = String.raw`(useMutation|mutationObserver|(useI|i)nfiniteQuery(Observer|Options)?|useIsFetching|useQuery|useBaseQuery|queryObserver|useCanGoBack|useBlocker)\.js`;
/** What every page needs and releases of ours don't change: one file that browsers keep. */
const vendor = new RegExp(
  String.raw`node_modules/(react|react-dom|scheduler|use-sync-external-store|@tanstack)/(?!.*/${some})`,
);

/** What nearly every page needs of the kit, and icons of several pages: in one file each instead of a hundred scraps. */
const kit = /node_modules\/@mantine\/(core\/esm\/core|hooks)\//;
const icons = /node_modules\/@tabler\//;
/** What cards and forms are made of. Menus and dialogs aren't among it: they come when they are wanted. */
const fields =
  /@mantine\/core\/esm\/components\/(Input|InputBase|InlineInput|TextInput|NativeSelect|Switch|CloseButton|Loader|(Unstyled)?Button)\//;
const queries = /node_modules\/@tanstack\//;

export default defineConfig({
  plugins: [react(), themeCss(), serviceWorker(), earlyScript()],
  resolve: { conditions: ['headrace-source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // A piece that comes later is asked for with its style sheets alone: a link for each of the dozens of small pieces that it
      // imports, nearly all there already, held up a slow phone for a third of a second on the dashboard.
      resolveDependencies: (_, files, { hostType }) =>
        hostType === 'js' ? files.filter((file) => file.endsWith('.css')) : files,
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: vendor },
            { name: 'kit', test: kit, minShareCount: 13 },
            { name: 'icons', test: icons, minShareCount: 5 },
            { name: 'queries', test: queries, minShareCount: 3 },
            { name: 'kit-fields', test: fields, minShareCount: 3 },
            {
              name: pieces(`${import.meta.dirname}/src`),
              debugName: 'pieces',
              test: (id) => !id.includes('node_modules'),
              minShareCount: 2,
              // Else each would take along what belongs to another.
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
  server: { proxy: { '/v1': { target: server, ws: true } } },
});
