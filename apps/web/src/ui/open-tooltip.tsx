import type { RefObject } from 'react';
import { Tooltip } from '@mantine/core';

/** A tooltip that is open. A module of its own, so that pages load it when someone asks. */
export function OpenTooltip({ target, label }: { target: RefObject<HTMLElement | null>; label: string }) {
  return <Tooltip opened target={target} label={label} classNames={{ tooltip: 'num' }} />;
}
