/** What was typed as a minute of the day: "21:30", and on a number pad "2130" or "930". null: it is no time. */
export function minuteOf(text: string): number | null {
  const [, hours, minutes] = /^\s*(\d{1,2})[:.]?(\d{2})\s*$/.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59) return null;
  return Number(hours) * 60 + Number(minutes);
}
