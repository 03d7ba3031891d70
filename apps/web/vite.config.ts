import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { serviceWorker } from './vite/service-worker.ts';

const server = process.env.HEADRACE_SERVER ?? 'http://127.0.0.1:3000';

/** Of these libraries, what only some pages use: it comes with them. */
const some = String.raw`(useMutation|mutationObserver|(useI|i)nfiniteQuery(Observer|Options)?|useIsFetching|useCanGoBack|useBlocker)\.js`;
/** What every page needs and releases of ours don't change: one file that browsers keep. */
const vendor = new RegExp(
  String.raw`node_modules/(react|react-dom|scheduler|use-sync-external-store|@tanstack)/(?!.*/${some})`,
);

export default defineConfig({
  plugins: [react(), serviceWorker()],
  resolve: { conditions: ['headrace-source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 700,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'vendor', test: vendor }] } } },
  },
  server: { proxy: { '/v1': { target: server, ws: true } } },
});
