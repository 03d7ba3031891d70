/** Enter in a box that only searches doesn't send the form round it. */
export function keepFromSaving(event: { key: string; preventDefault: () => void }): void {
  if (event.key === 'Enter') event.preventDefault();
}
