/** Whether an account's paid time is over. A date in 1970 stands for none, which is never over. spec 1 §4 */
export function isExpired(validUntil: Date, now: Date): boolean {
  return validUntil.getUTCFullYear() !== 1970 && validUntil.getTime() < now.getTime();
}
