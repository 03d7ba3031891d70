/**
 * The few sizes that every style sheet uses, as CSS variables; `biome/css-scale.grit` keeps to them. Media queries can't read variables:
 * their three widths are 768 (a phone is narrower), 1024 and 1200 px.
 */
export const scale = {
  '--hr-font-xs': '0.75rem',
  '--hr-font-sm': '0.8125rem',
  '--hr-font-md': '0.875rem',
  '--hr-font-lg': '0.9375rem',
  '--hr-font-xl': '1.0625rem',
  '--hr-font-2xl': '1.25rem',
  /** A page's name. */
  '--hr-font-title': 'clamp(1.375rem, 1.1rem + 1.2vw, 1.8rem)',
  /** The one number that a card is about. */
  '--hr-font-figure': '2.1rem',
  /** A unit beside its number. */
  '--hr-font-unit': '0.78em',
  /** A unit beside a figure. */
  '--hr-font-figure-unit': '0.55em',

  '--hr-weight-normal': '450',
  '--hr-weight-medium': '560',
  '--hr-weight-strong': '620',
  '--hr-weight-bold': '680',

  '--hr-gap-2xs': '2px',
  '--hr-gap-xs': '4px',
  '--hr-gap-sm': '8px',
  '--hr-gap-md': '12px',
  '--hr-gap-lg': '16px',
  '--hr-gap-xl': '24px',

  '--hr-radius-sm': '4px',
  '--hr-radius-md': '10px',
  '--hr-radius-lg': '14px',
  '--hr-radius-pill': '999px',
};
