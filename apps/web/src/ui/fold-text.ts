/** Text as people search it: without case, and without the macrons that a phone's keyboard hides. */
export const foldText = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
