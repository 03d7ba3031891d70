/** Node has it; its types come with the browser's, which this workspace doesn't load. */
declare namespace WebAssembly {
  class Memory {
    /** In pages of 64 KiB. */
    constructor(size: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
  }
}
