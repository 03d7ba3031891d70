/** Foothills, a headrace coming down from them, and paddocks under pods: the sign-in page's picture. */
export function Valley() {
  return (
    <svg viewBox="0 0 800 1000" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
      <defs>
        <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#063d4b" />
          <stop offset=".55" stopColor="#0f7f95" />
          <stop offset="1" stopColor="#8fdbe4" />
        </linearGradient>
        <linearGradient id="water" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stopColor="#d8f6fa" />
          <stop offset="1" stopColor="#38b6cf" />
        </linearGradient>
      </defs>
      <rect width="800" height="1000" fill="url(#sky)" />
      <circle cx="590" cy="330" r="58" fill="#fdf3d6" opacity=".92" />
      <path
        d="M0 560 120 430l70 60 120-150 95 110 70-70 130 140 90-60 105 90v450H0Z"
        fill="#0b6173"
        opacity=".75"
      />
      <path d="M310 340l-46 58 30-6 18 22 22-30 34 14Z" fill="#e9fafc" opacity=".85" />
      <path d="M0 640c120-70 210-60 330-10s260 40 470-60v430H0Z" fill="#0a5060" />
      <path d="M0 730c160-60 300-40 420 0s240 30 380-40v310H0Z" fill="#1c7a55" />
      <path d="M0 800c180-50 320-20 460 10s220 10 340-30v220H0Z" fill="#2c9361" />
      <path d="M0 880c200-40 360-10 500 10s200 0 300-30v140H0Z" fill="#47a96b" />
      <path
        d="M388 610c-30 40 70 70 30 120s-170 60-140 130 120 70 100 140h150c10-80-90-100-110-150s120-80 130-130-120-70-110-110Z"
        fill="url(#water)"
      />
      <g stroke="#e9fafc" strokeLinecap="round" fill="none" opacity=".9">
        <path d="M120 905v-26M620 880v-26M700 930v-28M190 960v-28" strokeWidth="5" />
        <path
          d="M84 872c14-22 58-22 72 0M586 848c14-22 58-22 72 0M662 894c16-24 62-24 76 0M152 924c16-24 62-24 76 0"
          strokeWidth="3"
          strokeDasharray="2 9"
        />
      </g>
    </svg>
  );
}
