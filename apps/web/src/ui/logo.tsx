/** The mark: an H whose bar is the water between two gate posts, as a headrace brings it to the wheel. */
export function Logo({ size = 32 }: { size?: number }) {
  return <img src="/icons/logo.svg" width={size} height={size} alt="" />;
}
