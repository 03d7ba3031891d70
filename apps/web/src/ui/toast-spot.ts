/** A rectangle of the window, px. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** What a message shouldn't lie on. Buttons and boxes weigh more than links: a list's rows are links all over. */
export interface Obstacle extends Box {
  readonly weight: number;
}

/** Where the messages' top right corner stands, px from the window's top and right edge. */
export interface Spot {
  readonly top: number;
  readonly right: number;
}

export interface Room {
  /** Of the window, px. */
  readonly width: number;
  readonly height: number;
  /** Below the header, px. */
  readonly top: number;
  /** Left free at both sides, px. */
  readonly edge: number;
}

const GAP = 8;

/**
 * Where messages of this size cover least of what can be pressed, as near to the top right as that can be had. They stay
 * where they are (`now`) unless another place is better: what is being read shouldn't jump.
 */
export function toastSpot(
  size: { readonly width: number; readonly height: number },
  room: Room,
  obstacles: readonly Obstacle[],
  now: Spot,
): Spot {
  const first = { top: room.top, right: room.edge };
  let best = now;
  let least = cover(boxAt(now, size, room), obstacles);
  // From the top right on: of places that are equally good the first is taken.
  const candidates = least > 0 ? [first, ...spots(size, room, obstacles)] : [];
  for (const spot of candidates) {
    const covered = cover(boxAt(spot, size, room), obstacles);
    if (covered < least) [best, least] = [spot, covered];
    if (least === 0) break;
  }
  return best;
}

/** Beside and below what stands in the way. */
function spots(
  { width, height }: { width: number; height: number },
  room: Room,
  obstacles: readonly Obstacle[],
): Spot[] {
  const rights = [room.edge, ...obstacles.map(({ left }) => room.width - left + GAP)];
  const tops = [room.top, ...obstacles.map(({ bottom }) => bottom + GAP)];
  const fitRights = distinct(rights).filter(
    (right) => right >= room.edge && right + width <= room.width - room.edge,
  );
  const fitTops = distinct(tops).filter((top) => top >= room.top && top + height <= room.height - room.edge);
  return fitTops.flatMap((top) => fitRights.map((right) => ({ top, right })));
}

const distinct = (values: readonly number[]) => [...new Set(values)].sort((one, other) => one - other);

const boxAt = (
  { top, right }: Spot,
  { width, height }: { width: number; height: number },
  room: Room,
): Box => ({ left: room.width - right - width, top, right: room.width - right, bottom: top + height });

const cover = (box: Box, obstacles: readonly Obstacle[]) =>
  obstacles.reduce((sum, obstacle) => (meets(box, obstacle) ? sum + obstacle.weight : sum), 0);

const meets = (one: Box, other: Box) =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
