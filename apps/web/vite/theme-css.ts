import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
  type ConvertCSSVariablesInput,
} from '@mantine/core';
import type { Plugin } from 'vite';
import { scale } from '../src/ui/scale.ts';
import { schemeVariables } from '../src/ui/scheme-variables.ts';
import { theme } from '../src/ui/theme.ts';

const NAME = 'virtual:theme.css';
const RESOLVED = `\0${NAME}`;

/**
 * `virtual:theme.css`: the theme as CSS variables. Written when the app is built, so that browsers get them with the
 * style sheet: neither the code that makes them nor a style element, which the content security policy refuses.
 */
export function themeCss(): Plugin {
  return {
    name: 'headrace-theme-css',
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    load: (id) => (id === RESOLVED ? convertCssVariables(ownVariables()) : null),
  };
}

/** What the kit's style sheet doesn't say already. */
function ownVariables(): ConvertCSSVariablesInput {
  const known = defaultCssVariablesResolver(DEFAULT_THEME);
  const wanted = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  const differing = (part: keyof ConvertCSSVariablesInput, more: Record<string, string>) =>
    Object.fromEntries(
      Object.entries({ ...wanted[part], ...more }).filter(([name, value]) => known[part][name] !== value),
    );
  return {
    variables: differing('variables', scale),
    light: differing('light', schemeVariables.light),
    dark: differing('dark', schemeVariables.dark),
  };
}
