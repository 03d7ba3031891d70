/** The clock of a farm where it is about noon: what a farm has at night or in the morning doesn't come into a test. */
export function noonNow() {
  const ahead = 12 - new Date().getUTCHours();
  return {
    time_zone_id: `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`,
    raw_offset: ahead * 3600,
    dst_offset: 0,
    dst_enabled: false,
  };
}
