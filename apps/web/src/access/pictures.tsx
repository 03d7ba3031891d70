/** A dry stock trough under an open sky: what was looked for isn't here. */
export function EmptyTrough() {
  return (
    <svg viewBox="0 0 260 150" fill="none" aria-hidden="true">
      <path d="M0 118c40-26 78-30 118-14s86 18 142-16v62H0Z" fill="var(--hr-brand-soft)" />
      <path d="M0 134c52-14 96-10 140-4s80 2 120-8v28H0Z" fill="var(--hr-line)" />
      <circle
        cx="206"
        cy="36"
        r="16"
        fill="var(--hr-caution-soft)"
        stroke="var(--hr-caution)"
        strokeWidth="2"
      />
      <path d="M58 82h132l-12 36a8 8 0 0 1-8 6H78a8 8 0 0 1-8-6Z" fill="var(--hr-surface)" />
      <path
        d="M58 82h132l-12 36a8 8 0 0 1-8 6H78a8 8 0 0 1-8-6Z"
        stroke="var(--hr-dim)"
        strokeWidth="2.5"
        strokeLinejoin="round"
      />
      <path d="M50 82h148" stroke="var(--hr-dim)" strokeWidth="5" strokeLinecap="round" />
      <path d="M92 124v10M156 124v10" stroke="var(--hr-dim)" strokeWidth="4" strokeLinecap="round" />
      <path
        d="M84 116h80"
        stroke="var(--hr-water)"
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray="14 9"
      />
      <path
        d="M124 58c0 0-6 7-6 11a6 6 0 0 0 12 0c0-4-6-11-6-11Z"
        stroke="var(--hr-water)"
        strokeWidth="2.5"
      />
    </svg>
  );
}

/** A closed farm gate. */
export function LockedGate() {
  return (
    <svg viewBox="0 0 260 150" fill="none" aria-hidden="true">
      <path d="M0 116c44-26 84-22 124-8s84 14 136-14v56H0Z" fill="var(--hr-brand-soft)" />
      <path d="M0 134c52-14 96-10 140-4s80 2 120-8v28H0Z" fill="var(--hr-line)" />
      <g stroke="var(--hr-dim)" strokeLinecap="round">
        <path d="M44 50v86M216 50v86" strokeWidth="8" />
        <path d="M52 64h156M52 82h156M52 100h156M52 118h156" strokeWidth="4" />
        <path d="M56 118 204 64" strokeWidth="4" />
      </g>
      <rect
        x="114"
        y="76"
        width="32"
        height="28"
        rx="6"
        fill="var(--hr-surface)"
        stroke="var(--hr-brand-text)"
        strokeWidth="3"
      />
      <path d="M121 76v-7a9 9 0 0 1 18 0v7" stroke="var(--hr-brand-text)" strokeWidth="3" />
      <circle cx="130" cy="90" r="3.5" fill="var(--hr-brand-text)" />
    </svg>
  );
}
