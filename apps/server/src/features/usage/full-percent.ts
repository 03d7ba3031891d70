/** Room of a day or in all counts as full from here on: the last few of it needn't fit, since a message is taken whole or not at all. */
export const FULL_PERCENT = 99;
