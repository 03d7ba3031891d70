import classes from './skeleton.module.css';

export interface SkeletonProps {
  /** How many blocks, and how high each is, px: as high as what will stand there. */
  blocks?: number;
  blockPx: number;
  /** How they stand; absent: below each other. */
  className?: string | undefined;
}

/** The shape of what is being loaded. */
export function Skeleton({ blocks = 1, blockPx, className = classes.stack }: SkeletonProps) {
  return (
    <div className={className} aria-hidden="true">
      {Array.from({ length: blocks }, (_none, n) => (
        <i key={n} className={classes.block} style={{ height: blockPx }} />
      ))}
    </div>
  );
}
