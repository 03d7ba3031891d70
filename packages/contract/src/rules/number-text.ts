/** Made when first asked for: whoever loads this doesn't always need it, and a slow phone takes 40 ms. */
let whole: Intl.NumberFormat | undefined;

/** As sentences show amounts: whole, with thousands apart, "25,218". */
export function wholeText(value: number): string {
  whole ??= new Intl.NumberFormat('en-NZ', { maximumFractionDigits: 0 });
  return whole.format(value);
}

/** "1 sprinkler", "1,204 sprinklers" */
export const countText = (n: number, one: string, many = `${one}s`): string =>
  `${wholeText(n)} ${n === 1 ? one : many}`;

/** Decimals of a figure that somebody entered, six at most: 12.25 has two, and a part of it that is no round figure in binary no more. */
export const enteredDigits = (value: number): number =>
  String(Number(value.toFixed(6))).split('.')[1]?.length ?? 0;
