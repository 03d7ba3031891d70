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
    // Some type whole forms, and the machine may be busy.
    testTimeout: 90_000,
    // As long as the queries of the page wait (`asyncUtilTimeout` in setup.ts).
    expect: { poll: { timeout: 15_000 } },
    // Loading the kit anew for each file took longer than the tests.
    isolate: false,
    maxWorkers: 2,
  },
});
