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
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    css: false,
    testTimeout: 15_000,
    // A failure says what wasn't found; the whole page beneath it hides that.
    env: { DEBUG_PRINT_LIMIT: '0' },
  },
});
