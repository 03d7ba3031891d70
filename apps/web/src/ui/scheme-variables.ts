import { tokenVariables } from './tokens.ts';

/** The kit's CSS variables that differ from its own theme's; the build writes them into the style sheet. */
export const schemeVariables = {
  light: {
    ...tokenVariables('light'),
    '--mantine-color-text': 'var(--hr-text)',
    '--mantine-color-body': 'var(--hr-surface)',
    '--mantine-color-dimmed': 'var(--hr-dim)',
    '--mantine-color-placeholder': '#61727b',
    '--mantine-color-default-border': 'var(--hr-line-strong)',
    '--mantine-color-anchor': 'var(--hr-brand-text)',
    '--mantine-color-error': 'var(--hr-issue)',
  },
  dark: {
    ...tokenVariables('dark'),
    '--mantine-color-text': 'var(--hr-text)',
    '--mantine-color-body': 'var(--hr-surface)',
    '--mantine-color-dimmed': 'var(--hr-dim)',
    '--mantine-color-placeholder': '#93a4ac',
    '--mantine-color-default': 'var(--hr-raised)',
    '--mantine-color-default-border': 'var(--hr-line-strong)',
    '--mantine-color-anchor': 'var(--hr-brand-text)',
    '--mantine-color-error': 'var(--hr-issue)',
  },
};
