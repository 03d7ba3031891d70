/** What cancelling would do: `queued` of `total` units are still here. */
export function cancelEffect(queued: number, total: number): string {
  if (total < 2) return "The gateway hasn't been given this command yet. Cancelled, it won't be sent.";
  if (queued === total)
    return `The gateway hasn't been given any of it yet. Cancelled, none of the ${total} units gets it.`;
  const wait =
    queued === 1 ? "waits for the gateway: it won't get it" : "wait for the gateway: they won't get it";
  const others = total - queued;
  const rest = others === 1 ? 'The other one stays as it is.' : `The other ${others} stay as they are.`;
  return `${queued} of ${total} units ${wait}. ${rest}`;
}
