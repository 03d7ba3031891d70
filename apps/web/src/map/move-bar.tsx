import { Button } from '@mantine/core';
import type { MarkerMoves } from './use-marker-moves.ts';
import classes from './move-bar.module.css';

/** What can be done while markers are moved. */
export function MoveBar({ moves }: { moves: MarkerMoves }) {
  const { isSeveral, setSeveral, held, done } = moves;
  return (
    <div className={classes.bar} role="toolbar" aria-label="Move devices">
      {held ? (
        <>
          <Button variant="default" mih={44} onClick={held.putBack}>
            Put back
          </Button>
          <Button mih={44} onClick={held.keep}>
            Keep
          </Button>
        </>
      ) : (
        <Button
          variant={isSeveral ? 'light' : 'default'}
          mih={44}
          aria-pressed={isSeveral}
          onClick={() => setSeveral(!isSeveral)}
        >
          Several
        </Button>
      )}
      <Button variant={held ? 'default' : 'filled'} mih={44} onClick={done}>
        Done
      </Button>
    </div>
  );
}
