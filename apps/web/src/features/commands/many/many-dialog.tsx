import { useState, type ReactNode } from 'react';
import { Button } from '@mantine/core';
import { Dialog, Ways } from '../../../forms/dialog.tsx';
import { PlainButton } from '../../../ui/plain-button.tsx';
import { useIsMobile } from '../../../ui/use-is-mobile.ts';
import { ManyFields, ManyTicks } from './many-fields.tsx';
import { isStop, type ManyCommand, manyOrders, type Scope } from './many-orders.ts';
import { ManyProgress } from './many-progress.tsx';
import { PlanView } from './plan-view.tsx';
import { type Choices, useManyOrder } from './use-many-order.ts';
import form from '../../../forms/dialog-form.module.css';

export interface ManyDialogProps {
  command: ManyCommand;
  scope: Scope;
  /** What is chosen when it opens. */
  initial?: Partial<Choices> | undefined;
  /** Instead of the command's own words. */
  title?: string | undefined;
  button?: string | undefined;
  /** Beside what the command does. */
  children?: ReactNode;
  /** Once it was sent. */
  after?: ReactNode;
  onClose: () => void;
}

/** A command to many sprinklers: what it would do, then sending it, then how far it is. */
export default function ManyDialog(props: ManyDialogProps) {
  const { command, scope, children, after, onClose } = props;
  const texts = manyOrders[command];
  const order = useManyOrder(command, scope, props.initial);
  const isMobile = useIsMobile();
  const title = props.title ?? `${texts.title} ${scope.name}`;
  return (
    <Dialog title={title} onClose={onClose} size={560} isFullScreen={isMobile}>
      {order.commandId === null ? (
        <Asked {...{ command, scope, order, onClose, children }} button={props.button ?? texts.button} />
      ) : (
        <>
          <ManyProgress farmUID={scope.farmUID} commandId={order.commandId} />
          {after}
          <Ways isLong>
            <Button variant="default" mih={44} onClick={onClose}>
              Close
            </Button>
          </Ways>
        </>
      )}
    </Dialog>
  );
}

interface AskedProps extends Pick<ManyDialogProps, 'command' | 'scope' | 'onClose' | 'children'> {
  order: ReturnType<typeof useManyOrder>;
  button: string;
}

function Asked({ command, scope, order, button, onClose, children }: AskedProps) {
  const [isAsked, setIsAsked] = useState(false);
  const { plan, planFailure, failure, isUnsure, fault, whyNot } = order;
  // That none can go now is no answer to whether this one went.
  const refused = isUnsure ? [failure, whyNot] : [whyNot ?? failure];
  // What would be done is known before it is done.
  const isKnown = plan.data !== undefined && !plan.isPlaceholderData && planFailure === null;
  // What stops water waits for no plan.
  const isReady = whyNot === null && (fault !== null || isKnown || isStop(command));
  const press = () => {
    setIsAsked(true);
    if (isReady && fault === null) order.send();
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        press();
      }}
    >
      <div className={form.form}>
        <p className={form.text}>{manyOrders[command].text}</p>
        {children}
        <ManyFields {...{ command, scope, order, isAsked }} />
        {planFailure !== null && (
          <p role="alert" className={form.failed}>
            {planFailure}{' '}
            {order.canPlanAgain && (
              <PlainButton onClick={() => void plan.refetch()} disabled={plan.isFetching}>
                {plan.isFetching ? 'Retrying…' : 'Retry'}
              </PlainButton>
            )}
          </p>
        )}
        {plan.isPending && plan.isFetching && <p className={form.text}>Working out what it would do…</p>}
        {plan.data && planFailure === null && <PlanView plan={plan.data} farmUID={scope.farmUID} />}
        {plan.data && planFailure === null && <ManyTicks {...{ command, order }} plan={plan.data} />}
        {refused.map(
          (text) =>
            text !== null && (
              <p key={text} role="alert" className={form.failed}>
                {text}
              </p>
            ),
        )}
      </div>
      <Ways isLong>
        <Button variant="default" mih={44} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" mih={44} aria-disabled={!isReady || order.isSending || undefined}>
          {order.isSending ? 'Sending…' : button}
        </Button>
      </Ways>
    </form>
  );
}
