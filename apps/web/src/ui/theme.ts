import { createTheme, defaultVariantColorsResolver } from '@mantine/core';
import { scale } from './scale.ts';

/** Deep water blue. Shade 8 fills, so that hover goes darker and white text stands at 4.5:1 or more. */
const brand = [
  '#e3f6f9',
  '#c6ebf1',
  '#9adce7',
  '#68c9d9',
  '#3fb2c6',
  '#239bb0',
  '#14889c',
  '#0a7a8c',
  '#0b7285',
  '#095c6b',
] as const;

const dark = [
  '#e6eef1',
  '#c7d4da',
  '#a5b5bd',
  '#7d909a',
  '#42565f',
  '#2f404a',
  '#1d2930',
  '#162026',
  '#0e1519',
  '#0a1013',
] as const;

/** The kit's own, but for what fills: white text stands on shade 8 at 6.6:1. */
const red = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#fa5252',
  '#f03e3e',
  '#b81d2b',
  '#9a1522',
] as const;

/** app.css holds the page still behind a dialog: the kit would do it with a style element, which the policy refuses. */
const noLock = { lockScroll: false };

/** Named by string, not by `Button.extend`: the theme must not carry the components themselves. */
export const theme = createTheme({
  colors: { brand, dark, red },
  primaryColor: 'brand',
  primaryShade: 8,
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: {
    fontWeight: scale['--hr-weight-strong'],
    fontFamily: "'Inter Variable', system-ui, sans-serif",
  },
  defaultRadius: 'md',
  radius: { xs: '4px', sm: '6px', md: '10px', lg: '14px', xl: '24px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  variantColorResolver: (input) => {
    const colours = defaultVariantColorsResolver(input);
    return input.variant === 'light' ? { ...colours, color: 'var(--mantine-color-text)' } : colours;
  },
  components: {
    Button: { defaultProps: { size: 'md', fw: 600 } },
    TextInput: { defaultProps: { size: 'md' } },
    PasswordInput: { defaultProps: { size: 'md' } },
    NumberInput: { defaultProps: { size: 'md' } },
    Select: { defaultProps: { size: 'md' } },
    Tooltip: { defaultProps: { withArrow: true, arrowSize: 8, openDelay: 200 } },
    Modal: {
      defaultProps: {
        centered: true,
        ...noLock,
        closeButtonProps: { 'aria-label': 'Close' },
        // Not blurred: without a graphics card each frame within a dialog would blur the whole page anew.
        overlayProps: { backgroundOpacity: 0.45 },
      },
    },
    ModalRoot: { defaultProps: noLock },
    DrawerRoot: { defaultProps: noLock },
    Drawer: { defaultProps: { ...noLock, closeButtonProps: { 'aria-label': 'Close' } } },
    Menu: { defaultProps: { shadow: 'md', withinPortal: true, transitionProps: { duration: 120 } } },
  },
});
