import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';

/** Languages of the font that our customers' names are written in, and the fonts of paper; the rest is fetched when a page needs it. */
const PRECACHED_FONT = /inter-latin(-ext)?-wght|inter-[46]00-[\w-]+\.ttf$/;

/**
 * Writes /sw.js with the list of what this build made, and asks the browser for the text font early.
 * The version is the list's hash: a build that changes nothing makes no new worker.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'headrace-service-worker',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght/.test(name));
        if (!font) return [];
        return [
          {
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' },
            injectTo: 'head-prepend',
          },
        ];
      },
    },
    generateBundle(_options, bundle) {
      const files = Object.keys(bundle).filter(
        (name) => /\.(js|css)$/.test(name) || PRECACHED_FONT.test(name),
      );
      const precache = [
        '/',
        '/manifest.webmanifest',
        '/icons/logo.svg',
        '/scheme.js',
        '/early.js',
        '/intl.js',
        ...files.map((f) => `/${f}`),
      ];
      const version = createHash('sha256').update(precache.join('\n')).digest('hex').slice(0, 12);
      const source = readFileSync(new URL('./sw.js', import.meta.url), 'utf8')
        .replace("'%VERSION%'", JSON.stringify(version))
        .replace("['%PRECACHE%']", JSON.stringify(precache));
      this.emitFile({ type: 'asset', fileName: 'sw.js', source });
    },
  };
}
