export type FolderGraph = Map<string, Map<string, string>>;
export function folderGraph(
  sources: Iterable<readonly [path: string, text: string]>,
  folderOf: (path: string) => string | null,
): FolderGraph;
export function circleOf(start: string, graph: FolderGraph): string | null;
