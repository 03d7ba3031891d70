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
export const BellOffIcon = () => (
  <Icon>
    <path d="M6 17h12c-1.2-1.3-1.8-2.8-1.8-5V10.5a4.2 4.2 0 0 0-8.4 0V12c0 2.2-.6 3.7-1.8 5ZM10 20a2 2 0 0 0 4 0M4 4l16 16" />
  </Icon>
);
export const ChevronIcon = () => (
  <Icon size={16}>
    <path d="M6 9l6 6 6-6" />
  </Icon>
);
