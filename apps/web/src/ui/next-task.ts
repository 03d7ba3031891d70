/** What comes after is a task of the browser's own: together with what came before it would hold up a slow phone. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
