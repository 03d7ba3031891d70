/** Whether there is a time zone of this name, as browsers call theirs: Pacific/Auckland. */
export function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
