export interface SavedFile {
  name: string;
  content: Blob;
}

/** Has the browser save a file, as if a link to it were clicked. */
export function saveFile({ name, content }: SavedFile): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Not at once: the browser has yet to read it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
