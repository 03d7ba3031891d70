import { CanvasLayer, type Frame } from './canvas-layer.ts';

/** Paints, and says whether there is anything to see. */
export type Paint = (frame: Frame) => boolean;

/** What is being drawn or moved, above everything else: painted by who adds it, at most once a frame. */
export class SketchLayer extends CanvasLayer {
  private painter: Paint | null = null;
  private request = 0;

  constructor(pane: string) {
    super(pane, 0);
  }

  setPaint(painter: Paint): void {
    this.painter = painter;
    cancelAnimationFrame(this.request);
    this.request = requestAnimationFrame(() => this.redraw());
  }

  override onRemove(): this {
    cancelAnimationFrame(this.request);
    return super.onRemove();
  }

  protected override isEmpty(): boolean {
    return this.painter === null;
  }

  protected override paint(frame: Frame): boolean {
    return this.painter?.(frame) ?? false;
  }
}
