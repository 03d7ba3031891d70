import { useDeferredValue, useState, type ReactNode } from 'react';
import { Button, Modal } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import type { MapUnit } from '@headrace/contract/map-units';
import { Empty } from '../../ui/state-view.tsx';
import { useEscape } from '../../ui/use-escape.ts';
import { useIsMobile } from '../../ui/use-is-mobile.ts';
import { useFarmZone } from '../../farm/current-farm.ts';
import { DeviceAlerts } from '../../device-records/lazy-device-alerts.tsx';
import { AlertList } from './alert-list.tsx';
import { DialogFooter } from './dialog-footer.tsx';
import { DialogHeader } from './dialog-header.tsx';
import { placeIn } from './neighbours.ts';
import { NowSection } from './now-section.tsx';
import { type Question, Questions } from './questions.tsx';
import { SentOutcomes } from './sent-outcome.tsx';
import { useSprinklerDialog } from './sprinkler-search.ts';
import { unitAlerts } from './unit-alerts.ts';
import { UnitTabs } from './unit-tabs.tsx';
import { useAhead } from './use-ahead.ts';
import { useArrowKeys, useSwipe } from './use-steps.ts';
import { useFollowSwap } from './use-follow-swap.ts';
import { type Pull, usePull } from './use-pull.ts';
import { type UnitCommands, useUnitCommands } from './use-unit-commands.ts';
import classes from './sprinkler-dialog.module.css';

export interface SprinklerDialogProps {
  isOpen: boolean;
  /** The unit that the address names, or is about to. */
  addressed: string | null;
  onClose: () => void;
  farmUID: string;
  /** Whether the farm has any. */
  hasGateway: boolean;
  /** A unit as the page knows it now; null: there is no such unit (any more). */
  unitOf: (id: string) => MapUnit | null;
  /** The units beside it, as the page lists them. */
  list: readonly string[];
  /** Goes on to moving it on the page's map. Absent: it may not be moved. */
  onMove?: (() => void) | undefined;
}

/** All there is to know of one sprinkler, and what can be done with it. Which unit and which tab stand in the address. */
export default function SprinklerDialog(props: SprinklerDialogProps) {
  const { go } = useSprinklerDialog();
  const { shown, step, stop } = useAhead(props.addressed, go);
  const close = () => {
    stop();
    props.onClose();
  };
  const isMobile = useIsMobile();
  // Opened only once it is there, so that it sees what had the focus and gives it back on closing.
  const isMounted = useMounted();
  const { isLeaving, givesFocusBack, leave, onExited } = useLeaving(props.isOpen, props.onMove);
  const isOpen = isMounted && props.isOpen && !isLeaving;
  const unit = useLast(props.isOpen, shown === null ? null : props.unitOf(shown));
  const swapped = useFollowSwap(props.farmUID, (id) => props.unitOf(id) !== null);
  useEscape(isOpen, close);
  return (
    <Modal.Root
      opened={isOpen}
      onClose={close}
      closeOnEscape={false}
      size={760}
      fullScreen={isMobile}
      centered
      classNames={{ content: classes.content ?? '' }}
      radius={isMobile ? 0 : 'lg'}
      returnFocus={givesFocusBack}
      // On a phone it is there at once: sliding in takes it two more frames and another drawing.
      transitionProps={{ transition: 'pop', duration: isMobile ? 0 : 160, onExited }}
    >
      <Modal.Overlay backgroundOpacity={0.45} />
      <Modal.Content>
        {unit ? (
          <Known
            {...props}
            {...{ unit, swapped, isOpen, close }}
            onMove={props.onMove && leave}
            onStep={step}
          />
        ) : (
          <Unknown swapped={swapped} onClose={close} />
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

/** Goes on to the map once the dialog has faded: the map takes the focus then, and the dialog doesn't give it back to the list. */
function useLeaving(isWanted: boolean, onMove: (() => void) | undefined) {
  const [isLeaving, setIsLeaving] = useState(false);
  const [givesFocusBack, setGivesFocusBack] = useState(true);
  const [wasWanted, setWasWanted] = useState(isWanted);
  if (isWanted !== wasWanted) {
    setWasWanted(isWanted);
    if (isWanted) setGivesFocusBack(true);
  }
  const leave = () => {
    setIsLeaving(true);
    setGivesFocusBack(false);
  };
  const onExited = () => {
    if (!isLeaving) return;
    setIsLeaving(false);
    onMove?.();
  };
  return { isLeaving, givesFocusBack, leave, onExited };
}

/** While the dialog fades out its unit stays in it. */
function useLast(isOpen: boolean, unit: MapUnit | null): MapUnit | null {
  const [last, setLast] = useState(unit);
  if (isOpen && unit !== last) setLast(unit);
  return isOpen ? unit : last;
}

function Unknown({ swapped, onClose }: { swapped: string | null; onClose: () => void }) {
  return (
    <>
      <div className={classes.header}>
        <div className={classes.top}>
          <Modal.Title className={classes.title}>Sprinkler</Modal.Title>
          <Modal.CloseButton aria-label="Close dialog" size={44} iconSize={22} />
        </div>
      </div>
      <div className={classes.body}>
        <Empty
          title={swapped ?? 'No sprinkler data to display.'}
          action={
            <Button variant="default" mih={44} onClick={onClose}>
              Close
            </Button>
          }
        >
          {swapped === null && 'It may have been removed, or made another kind of device.'}
        </Empty>
      </div>
    </>
  );
}

/** Where it last stood in the list: one that leaves the list while it is open stays open, between the same two. */
function usePlace(list: readonly string[], id: string) {
  const [last, setLast] = useState<{ id: string; at: number | null }>({ id, at: null });
  const place = placeIn(list, id, last.id === id ? last.at : null);
  if (place.at !== null && (last.id !== id || last.at !== place.at)) setLast({ id, at: place.at });
  return place;
}

interface KnownProps extends SprinklerDialogProps {
  unit: MapUnit;
  swapped: string | null;
  close: () => void;
  onStep: (id: string) => void;
}

function Known(props: KnownProps) {
  const { isOpen, swapped, farmUID, hasGateway, unit, list, onMove, close, onStep } = props;
  const zone = useFarmZone(farmUID);
  const commands = useUnitCommands(farmUID, unit, hasGateway);
  const [question, setQuestion] = useState<Question | null>(null);
  const place = usePlace(list, unit.id);
  const goTo = (id: string | null) => {
    if (id !== null) onStep(id);
  };
  const steps = { previous: () => goTo(place.previous), next: () => goTo(place.next) };
  useArrowKeys({ isOpen, ...steps });
  const swipe = useSwipe(steps);
  const { pull, handlers } = usePull(() => pollNow(commands));
  const isKnown = unit.serial !== '';
  const alerts = unitAlerts(unit);
  const ofAlerts = new Set(alerts.map(({ remedy }) => remedy));
  return (
    <div className={classes.whole} {...swipe}>
      <DialogHeader unit={unit} zone={zone} place={place} onGo={onStep} />
      <p role="status" className={classes.swapped}>
        {swapped}
      </p>
      {/* It may scroll and hold nothing else to stop at: the keyboard must get there. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex */}
      <div
        className={classes.body}
        tabIndex={0}
        role="group"
        aria-label="About this sprinkler"
        {...(isKnown && handlers)}
      >
        {/* oxlint-enable jsx-a11y/no-noninteractive-tabindex */}
        <PullHint pull={pull} />
        {isKnown ? (
          <div key={unit.id} className={classes.parts}>
            <NowSection {...{ farmUID, unit, zone, commands }} />
            <Below>
              <DeviceAlerts farmUID={farmUID} uid={unit.id} besides={alerts.map(({ text }) => text)} />
            </Below>
            <AlertList {...{ farmUID, unit, zone, commands }} onAsk={setQuestion} />
            <Below>
              <SentOutcomes
                {...{ farmUID, commands }}
                of={(command) => command !== 'ValveOff' && !ofAlerts.has(command)}
              />
              <UnitTabs {...{ farmUID, unit, zone, commands }} onBattery={() => setQuestion('battery')} />
            </Below>
          </div>
        ) : (
          <Empty title="This sprinkler has no information available, please use manage irrigation devices to set it up." />
        )}
      </div>
      <Below>
        <DialogFooter {...{ farmUID, unit, commands }} onAsk={setQuestion} onMove={onMove} onClose={close} />
      </Below>
      <Questions {...{ question, farmUID, unit, zone, commands }} onClose={() => setQuestion(null)} />
    </div>
  );
}

function pollNow(commands: UnitCommands): void {
  const why = commands.whyNot('Poll');
  if (why !== null) commands.refuse('Poll', why);
  else if (!commands.isSending('Poll')) commands.send('Poll');
}

/** Who sees no screen has the button. */
const PullHint = ({ pull }: { pull: Pull }) =>
  pull !== 'none' && (
    <p className={classes.pull} aria-hidden="true">
      {pull === 'ready' ? 'Let go to poll' : 'Pull down to poll'}
    </p>
  );

/** What is asked for, the tabs and the buttons come once how the unit is has been painted: who goes through a list looks at that. */
function Below({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}
