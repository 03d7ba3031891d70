import { MAP } from '@headrace/contract/limits';

/** A group's name as its card has it: "Sublateral 12" is "SubLat 12", and 10 characters at most. spec 2 §9 */
export function cardName(name: string): string {
  const letters = Array.from(name.replace(/^sublateral/i, 'SubLat'));
  return letters.length > MAP.labelMax
    ? `${letters.slice(0, MAP.labelMax).join('').trimEnd()}…`
    : letters.join('');
}
