import { useState, type ChangeEvent } from 'react';
import { IconBolt, IconBoltOff } from '@tabler/icons-react';
import { ConditionDot } from '../../ui/condition-dot.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { openReader, readCode } from './barcode-reader.ts';
import { canRetry, faultTexts } from './camera.ts';
import { useScanner } from './use-scanner.ts';
import classes from './registry.module.css';

/** The first bar code that the camera sees, or that is in a picture. `onFound` is called once. */
export function Scanner({ onFound }: { onFound: (text: string) => void }) {
  return (
    <div className={classes.scanner}>
      <CameraView onFound={onFound} />
      <PictureField onFound={onFound} />
    </div>
  );
}

function CameraView({ onFound }: { onFound: (text: string) => void }) {
  const { state, setVideo, retry } = useScanner(onFound);
  if (state.is === 'faulty')
    return (
      <div role="alert" className={classes.fault}>
        <ConditionDot condition="caution" size={18} label={null} />
        <p>{faultTexts[state.fault]}</p>
        {canRetry(state.fault) && <PlainButton onClick={retry}>Try again</PlainButton>}
      </div>
    );
  return (
    <>
      <p role="status" className={classes.hint}>
        {state.is === 'looking' ? 'Hold the bar code in the picture.' : 'Starting the camera…'}
      </p>
      <div className={classes.finder}>
        <video ref={setVideo} className={classes.video} aria-label="The camera's picture" muted playsInline />
        <i className={classes.aim} />
        {state.is === 'looking' && state.torch && <TorchButton torch={state.torch} />}
      </div>
    </>
  );
}

function TorchButton({ torch }: { torch: (isOn: boolean) => Promise<void> }) {
  const [isOn, setIsOn] = useState(false);
  const turn = async () => {
    // A phone that is low on battery keeps its light off.
    try {
      await torch(!isOn);
      setIsOn(!isOn);
    } catch {
      setIsOn(false);
    }
  };
  const Icon = isOn ? IconBoltOff : IconBolt;
  return (
    <button
      type="button"
      className={classes.torch}
      aria-label="Light"
      aria-pressed={isOn}
      onClick={() => void turn()}
    >
      <Icon size={22} stroke={1.8} aria-hidden="true" />
    </button>
  );
}

/** Phones offer their camera here too, also on plain http. */
function PictureField({ onFound }: { onFound: (text: string) => void }) {
  const [said, setSaid] = useState('');
  const read = async (file: File) => {
    setSaid('Reading the picture…');
    try {
      const reader = await openReader().catch(() => null);
      if (!reader) return setSaid(faultTexts.reader);
      const text = await readCode(reader, file);
      if (text) onFound(text);
      setSaid(
        text ? '' : 'No bar code was found in the picture. Take it closer, straight and in good light.',
      );
    } catch {
      setSaid("The picture couldn't be read. Choose a JPEG or PNG picture.");
    }
  };
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const input = event.currentTarget;
    const [file] = input.files ?? [];
    if (file) void read(file);
    // So that the same picture can be chosen again.
    input.value = '';
  };
  return (
    <div>
      <label className={classes.picture}>
        Read a picture
        <input type="file" accept="image/*" onChange={choose} />
      </label>
      <p role="status" className={classes.said}>
        {said}
      </p>
    </div>
  );
}
