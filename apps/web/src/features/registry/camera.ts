/** Why there is no picture. */
export type CameraFault = 'insecure' | 'none' | 'refused' | 'busy' | 'reader';

const otherwise = 'Or read a picture of it, or type the serial number.';
export const faultTexts: Record<CameraFault, string> = {
  insecure:
    'The camera opens on a secure address (https) only. Read a picture of the bar code, or type the serial number.',
  none: 'No camera was found here. Read a picture of the bar code, or type the serial number.',
  refused: `The camera isn't allowed for this page. Allow it in the browser's settings of this site and try again. ${otherwise}`,
  busy: `The camera couldn't be started: another app may be using it. Close that and try again. ${otherwise}`,
  reader:
    "The bar code reader couldn't be loaded. Check the connection and try again, or type the serial number.",
};

/** Faults that may be gone the next time. */
export const canRetry = (fault: CameraFault): boolean => fault !== 'insecure' && fault !== 'none';

const faultsByName: Readonly<Record<string, CameraFault>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'none',
  OverconstrainedError: 'none',
};

/** Browsers have cameras for pages that came by https, or from this machine. */
const cameras = (): MediaDevices | null =>
  (navigator as { mediaDevices?: MediaDevices }).mediaDevices ?? null;

/** The camera at the back of a phone, else any. */
export async function openCamera(): Promise<MediaStream | CameraFault> {
  const devices = cameras();
  if (!devices) return 'insecure';
  try {
    return await devices.getUserMedia({
      audio: false,
      video: { facingMode: { ideal: 'environment' }, width: { ideal: 1280 }, height: { ideal: 720 } },
    });
  } catch (error) {
    return (error instanceof Error && faultsByName[error.name]) || 'busy';
  }
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Whether the device has a camera. On plain http nobody can tell: phones have one, and can hand over a picture. */
export async function hasCamera(): Promise<boolean> {
  const devices = cameras();
  if (!devices) return matchMedia('(pointer: coarse)').matches;
  const found = await devices.enumerateDevices().catch(() => []);
  return found.some(({ kind }) => kind === 'videoinput');
}

/** The light beside the camera, which the DOM's types don't know yet. */
type WithTorch = MediaTrackCapabilities & { torch?: boolean };

/** Switches the light; null: the camera has none. */
export function torchOf(stream: MediaStream): ((isOn: boolean) => Promise<void>) | null {
  const [track] = stream.getVideoTracks();
  // Not every browser tells.
  const capabilities: WithTorch = track?.getCapabilities?.() ?? {};
  if (!track || !capabilities.torch) return null;
  return (isOn) => track.applyConstraints({ advanced: [{ torch: isOn } as MediaTrackConstraintSet] });
}
