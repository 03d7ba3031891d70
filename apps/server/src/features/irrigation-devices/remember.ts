/**
 * What is made of an object, made once for as long as the object and the other things that it is made of stay the same. The
 * memory goes with the object.
 */
export function remember<From extends object, Rest extends readonly unknown[], To>(
  make: (from: From, ...rest: Rest) => To,
): (from: From, ...rest: Rest) => To {
  const known = new WeakMap<From, { rest: Rest; to: To }>();
  return (from, ...rest) => {
    const found = known.get(from);
    if (found?.rest.every((one, index) => one === rest[index])) return found.to;
    const to = make(from, ...rest);
    known.set(from, { rest, to });
    return to;
  };
}
