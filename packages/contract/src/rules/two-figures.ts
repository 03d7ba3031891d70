/** Of what is reckoned: more would claim a precision that isn't there. 184 is about 180. */
export const twoFigures = (value: number): number => Number(value.toPrecision(2));
