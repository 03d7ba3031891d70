import { useEffect, useEffectEvent, useState } from 'react';
import { openReader, readCode } from './barcode-reader.ts';
import { type CameraFault, closeCamera, openCamera, torchOf } from './camera.ts';

/** Between two looks at the camera's picture, ms. */
const LOOK_MS = 200;

type Torch = (isOn: boolean) => Promise<void>;
type State =
  | { readonly is: 'starting' }
  /** `torch` switches the light beside the camera; null: it has none. */
  | { readonly is: 'looking'; readonly torch: Torch | null }
  | { readonly is: 'faulty'; readonly fault: CameraFault };

const starting: State = { is: 'starting' };

export interface ScannerView {
  readonly state: State;
  /** The ref of the element that shows the camera's picture, which is there unless the state is faulty. */
  readonly setVideo: (video: HTMLVideoElement | null) => void;
  readonly retry: () => void;
}

/** Looks through the camera until a bar code is found, and lets go of the camera then and when the page is left. */
export function useScanner(onFound: (text: string) => void): ScannerView {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const [state, setState] = useState<State>(starting);
  const tell = useEffectEvent(onFound);
  useEffect(() => {
    if (!video) return undefined;
    const leaving = new AbortController();
    const run = async () => {
      const end = await scan(video, leaving.signal, (torch) => setState({ is: 'looking', torch }));
      if (leaving.signal.aborted) return;
      if ('fault' in end) setState({ is: 'faulty', fault: end.fault });
      else tell(end.text);
    };
    void run();
    return () => leaving.abort();
  }, [video]);
  return { state, setVideo, retry: () => setState(starting) };
}

type End = { readonly text: string } | { readonly fault: CameraFault };

/** Ends with what was found, or why nothing can be; never throws. */
async function scan(
  video: HTMLVideoElement,
  signal: AbortSignal,
  onLooking: (torch: Torch | null) => void,
): Promise<End> {
  const stream = await openCamera();
  if (typeof stream === 'string') return { fault: stream };
  const close = () => closeCamera(stream);
  signal.addEventListener('abort', close);
  try {
    video.srcObject = stream;
    const [reader] = await Promise.all([openReader().catch(() => null), video.play()]);
    if (!reader) return { fault: 'reader' };
    if (!signal.aborted) onLooking(torchOf(stream));
    while (!signal.aborted) {
      const text = await readCode(reader, video);
      if (text !== null) return { text };
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return { fault: 'busy' };
  } catch {
    return { fault: 'busy' };
  } finally {
    close();
  }
}
