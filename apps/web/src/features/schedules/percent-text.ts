/** Nearly all is not all. */
export const percentText = (share: number) =>
  `${share >= 0.995 ? Math.floor(share * 100) : Math.round(share * 100)} %`;
