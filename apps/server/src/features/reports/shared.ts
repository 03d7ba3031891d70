/** Who asks for what is being reckoned just now gets the same: twenty who open one report at once have it reckoned once. */
export function createShared<T>() {
  const underWay = new Map<string, Promise<T>>();
  return (key: string, make: () => Promise<T>): Promise<T> => {
    const known = underWay.get(key);
    if (known) return known;
    const made = make().finally(() => underWay.delete(key));
    underWay.set(key, made);
    return made;
  };
}
