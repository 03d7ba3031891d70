import type { FarmIcon } from '@headrace/contract/farms';

/** The five farm icons: one barn in five colours of land. The colour tells farms apart; it says nothing of them. */
const colours: Record<FarmIcon, { land: string; sky: string }> = {
  'farm-blue': { land: '#1f6fb8', sky: '#cfe5f8' },
  'farm-green': { land: '#2f7d3c', sky: '#d5ecd4' },
  'farm-orange': { land: '#b9601a', sky: '#fbe3c8' },
  'farm-purple': { land: '#6a48a8', sky: '#e4daf5' },
  'farm-red': { land: '#b2353c', sky: '#f8d7d6' },
};

export function FarmSign({ icon, size = 44 }: { icon: FarmIcon; size?: number }) {
  const { land, sky } = colours[icon];
  return (
    <svg
      viewBox="0 0 48 48"
      width={size}
      height={size}
      aria-hidden="true"
      style={{ flex: 'none', display: 'block' }}
    >
      <rect width="48" height="48" rx="12" fill={sky} />
      <path d="M0 33c10-6 18-6 26-2s15 4 22-1v6a12 12 0 0 1-12 12H12A12 12 0 0 1 0 36Z" fill={land} />
      <path d="M11 21 20 13l9 8v13H11Z" fill="#fff" />
      <path
        d="M9 22.5 20 12.5l11 10"
        fill="none"
        stroke={land}
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <path d="M17 34v-8h6v8" fill={land} />
      <path d="M34 18v13h6V18a3 3 0 0 0-6 0Z" fill="#fff" stroke={land} strokeWidth="1.6" />
      <path
        d="M6 41c7-4 13-4 20-1s11 3 16 0"
        fill="none"
        stroke="#fff"
        strokeOpacity=".75"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </svg>
  );
}
