import {
  type ComponentType,
  createContext,
  type ReactNode,
  Suspense,
  useCallback,
  useContext,
  useState,
} from 'react';
import { lazyAgain } from './lazy-again.ts';
import { Failed, FailedLine } from './state-view.tsx';

interface PartOptions {
  /** What failed, as a sentence without its full stop: "The history couldn't be loaded". */
  failed: string;
  /** In its place until its code is there. */
  waiting?: ReactNode;
  /** One line has to do: there is no room for more. */
  isLine?: boolean;
  /** What stands round that sentence; absent: nothing. */
  around?: (said: ReactNode) => ReactNode;
}

const TryAgain = createContext(() => {});

/**
 * A part of a page whose code comes when it is first shown. Where it doesn't come that is said in the part's own place, with another
 * try: the page around it stays.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { failed, waiting, isLine = false, around = (said) => said }: PartOptions,
): ComponentType<Props> {
  let error: unknown;
  const keepError = (thrown: unknown) => {
    error = thrown;
    throw thrown;
  };
  const latest = lazyAgain<Props>(
    () => load().catch(keepError),
    () => {
      const said = { text: failed, onRetry: useContext(TryAgain) };
      return around(isLine ? <FailedLine {...said} /> : <Failed {...said} error={error} />);
    },
  );
  return function LazyPart(props: Props) {
    const [Part, setPart] = useState(() => latest.current);
    const tryAgain = useCallback(() => setPart(() => latest.current), []);
    return (
      <TryAgain value={tryAgain}>
        <Suspense fallback={waiting}>
          <Part {...props} />
        </Suspense>
      </TryAgain>
    );
  };
}
