import type { ReactNode } from 'react';

/** The header's few icons are drawn here: the icon set would weigh more in the first load than these lines. */
function Icon({ children, size = 21 }: { children: ReactNode; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const RefreshIcon = () => (
  <Icon>
    <path d="M20 11a8 8 0 0 0-14.3-4L4 9M4 4v5h5M4 13a8 8 0 0 0 14.3 4L20 15M20 20v-5h-5" />
  </Icon>
);
export const TopIcon = () => (
  <Icon>
    <path d="M5 4h14M12 20V9M7 13l5-5 5 5" />
  </Icon>
);
export const ClearIcon = () => (
  <Icon>
    <path d="M4 6h16M4 12h9M4 18h7M15 15l5 5M20 15l-5 5" />
  </Icon>
);
export const ChevronIcon = () => (
  <Icon size={16}>
    <path d="M6 9l6 6 6-6" />
  </Icon>
);
