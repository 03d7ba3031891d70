/** Dawn over the foothills, a headrace coming down from them, and paddocks under pods: the sign-in page's picture. */
export function Valley() {
  return (
    <svg viewBox="0 0 800 1000" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <defs>
        <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#0a5468" />
          <stop offset=".3" stopColor="#2b8fa5" />
          <stop offset=".55" stopColor="#a5dde0" />
          <stop offset=".66" stopColor="#fbeccb" />
        </linearGradient>
        <radialGradient id="glow">
          <stop offset="0" stopColor="#fff6da" stopOpacity=".95" />
          <stop offset=".25" stopColor="#fff0c4" stopOpacity=".55" />
          <stop offset="1" stopColor="#fff0c4" stopOpacity="0" />
        </radialGradient>
        <linearGradient id="far" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#4d93a6" />
          <stop offset="1" stopColor="#a9d3d4" />
        </linearGradient>
        <linearGradient id="near" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#1d6678" />
          <stop offset="1" stopColor="#5fa3a5" />
        </linearGradient>
        <linearGradient id="water" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#eafafb" />
          <stop offset=".45" stopColor="#7fd3e2" />
          <stop offset="1" stopColor="#1f97b6" />
        </linearGradient>
      </defs>
      <rect width="800" height="1000" fill="url(#sky)" />
      <circle cx="560" cy="556" r="270" fill="url(#glow)" />
      <circle cx="560" cy="556" r="40" fill="#fff8e4" />
      <path
        d="M0 566 62 520l40 26 74-92 58 64 38-30 66 76 72-54 84 62 70-66 62 48 84-58 90 62v90H0Z"
        fill="url(#far)"
      />
      <path
        d="M176 454 148 489l20-5 12 13 14-16 22 14ZM564 506l-18 17 14-2 10 8 8-9 12 3Z"
        fill="#fff"
        opacity=".8"
      />
      <path
        d="M0 640c70-40 120-86 190-70 60 14 92 58 160 54 84-5 120-66 210-62 90 4 150 56 240 30v120H0Z"
        fill="url(#near)"
      />
      <path d="M0 668c90-34 190-30 290 2 60 20 120 24 190 6 110-30 220-34 320 0v340H0Z" fill="#2d7f63" />
      <path d="M0 716c130-40 250-26 350 10 90 32 250 20 450-40v330H0Z" fill="#379269" />
      <path
        d="M418 688c-16 14 26 24 10 42-20 22-96 34-92 76 4 44 118 50 116 104-2 40-44 62-62 100h236c14-56-14-92-76-126-56-30-118-52-104-84 12-28 62-40 66-66 3-24-62-26-84-48Z"
        fill="url(#water)"
      />
      <path d="M0 806c90-30 180-22 250 8 64 28 60 88 22 196H0Z" fill="#46a673" />
      <path d="M800 760c-90 8-190 40-222 84-26 36 24 58 58 86 22 18 30 46 32 80h132Z" fill="#46a673" />
      <path
        d="M0 900c80-26 150-14 190 20 26 22 24 50 14 90H0ZM800 872c-60 8-106 26-112 54-4 20 22 40 26 84h86Z"
        fill="#5ab97f"
      />
      <g stroke="#fff" strokeLinecap="round" fill="none" opacity=".85">
        <path d="M96 846v-20M182 858v-20M58 934v-24M692 834v-20M758 806v-20M742 924v-24" strokeWidth="4" />
        <path
          d="M68 824c12-18 44-18 56 0M154 836c12-18 44-18 56 0M24 908c14-22 54-22 68 0M664 812c12-18 44-18 56 0M730 784c12-18 44-18 56 0M708 898c14-22 54-22 68 0"
          strokeWidth="2.5"
          strokeDasharray="1 7"
        />
      </g>
    </svg>
  );
}
