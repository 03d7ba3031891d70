import { useEffect, type ReactNode } from 'react';
import {
  localStorageColorSchemeManager,
  MantineContext,
  MantineThemeProvider,
  useProviderColorScheme,
} from '@mantine/core';
import { theme } from './theme.ts';

/** Tests don't wait for menus to unfold. */
const env = import.meta.env.MODE === 'test' ? 'test' : 'default';
const manager = localStorageColorSchemeManager();
const getRootElement = () => document.documentElement;

/**
 * What the kit's components need around them. The kit's own provider would bring the code that makes CSS variables,
 * and style elements: ours are in the style sheet (vite/theme-css.ts).
 */
export function Kit({ children }: { children: ReactNode }) {
  const scheme = useProviderColorScheme({
    manager,
    getRootElement,
    defaultColorScheme: 'auto',
    forceColorScheme: undefined,
  });
  useScrollBarWidth();
  return (
    <MantineContext
      value={{
        ...scheme,
        getRootElement,
        classNamesPrefix: 'mantine',
        cssVariablesSelector: ':root',
        withStaticClasses: true,
        env,
      }}
    >
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  );
}

/** `--hr-scroll-bar`: what the page's scroll bar takes of its width, kept while a dialog hides it (app.css). */
function useScrollBarWidth(): void {
  useEffect(() => {
    const root = getRootElement();
    const observer = new ResizeObserver(() => {
      if (document.querySelector('[aria-modal="true"]')) return;
      root.style.setProperty('--hr-scroll-bar', `${innerWidth - root.clientWidth}px`);
    });
    observer.observe(root);
    return () => observer.disconnect();
  }, []);
}
