import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const conditions = ['headrace-source', 'browser', 'module', 'import', 'default'];

export default defineConfig({
  plugins: [react()],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: 'web',
    root: import.meta.dirname,
    environment: 'happy-dom',
    // A file that is saved is a link that is clicked: without this the page would be at the file's address, for all tests after it.
    environmentOptions: {
      happyDOM: {
        settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } },
      },
    },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    css: false,
    testTimeout: 30_000,
    // Loading the kit anew for each file took longer than the tests.
    isolate: false,
    maxWorkers: 2,
  },
});
