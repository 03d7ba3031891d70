import { useRef, useState } from 'react';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { commandNeeds, commandTypes } from '@headrace/contract/command-types';
import type { CommandRequest } from '@headrace/contract/commands';
import { ApiError, call } from '../../../api/client.ts';
import { randomHex } from '../../../api/random-hex.ts';
import { useMissing } from '../../../api/reach.ts';
import { useCan } from '../../../access/permissions.ts';
import { type EnteredNumber, enteredNumber } from '../../../forms/fields.tsx';
import { useSendCommand } from '../commands.queries.ts';
import { refusals } from '../refusals.ts';
import { commandFailureText, isPerhapsSent, planFailureText, WHOLE_FARM } from '../send-command.ts';
import { FARM, isOfGateway, isStop, type ManyCommand, type Scope } from './many-orders.ts';

type Payload = NonNullable<CommandRequest['payload']>;

/** What a person chose in the dialog. */
export interface Choices {
  /** Of a send to the whole farm: all of it, or one of its groups. */
  groupUID: string;
  setUID: string;
  /** As in a form: nothing chosen is ''. */
  commsMode: string;
  minutes: EnteredNumber;
  beginWithin: string;
  alsoInhibited: boolean;
  clearOthers: boolean;
}
const FIRST: Choices = {
  groupUID: FARM,
  setUID: '',
  commsMode: '',
  minutes: 30,
  beginWithin: '10',
  alsoInhibited: false,
  clearOthers: true,
};

/** A plan grows old: gateways come and go, and others send too, ms. */
const RENEW_MS = 30_000;

const isRefusal = (error: unknown) => error instanceof ApiError && error.status >= 400 && error.status < 500;

const targetOf = ({ gateway }: Scope) => gateway ?? WHOLE_FARM;

const planQuery = (command: ManyCommand, scope: Scope, payload: Payload) =>
  queryOptions({
    queryKey: ['command-plan', scope.farmUID, command, targetOf(scope).mac, payload],
    queryFn: ({ signal }) =>
      call('POST /commands/plan', {
        body: { farmUID: scope.farmUID, type: commandTypes[command], ...targetOf(scope), payload },
        signal,
      }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: RENEW_MS,
    placeholderData: keepPreviousData,
    // Somebody may change or delete, meanwhile, what it is a plan of.
    meta: { records: ['schedule set', 'group', 'sprinkler'], farmUID: scope.farmUID },
  });

/** What is to be sent to many, what that would do, and how sending it went. */
export function useManyOrder(command: ManyCommand, scope: Scope, initial: Partial<Choices> = {}) {
  const [choices, setChoices] = useState({ ...FIRST, ...initial });
  const tap = useRef({ said: '', id: '' });
  const may = useCan(commandNeeds[command], scope.farmUID);
  const isAway = useMissing() !== null;
  const mutation = useSendCommand();
  const planned = planPayload(command, scope, choices);
  const isReady = command !== 'SendScheduleSet' || choices.setUID !== '';
  const plan = useQuery({
    ...planQuery(command, scope, planned),
    enabled: may && isReady && mutation.data === undefined,
  });
  const isNamed = command !== 'SendScheduleSet' && !isOfGateway(command);
  const payload = { ...planned, ...(isNamed && { groupName: scope.name }) };
  const send = () => {
    const sent = { ...payload, ...openFor(command, choices) };
    // Pressed again, without an answer, it is the same tap; with another choice it isn't.
    const said = JSON.stringify(sent);
    if (tap.current.said !== said) tap.current = { said, id: randomHex(16) };
    const { farmUID } = scope;
    const order = { command, farmUID, target: targetOf(scope), payload: sent, requestId: tap.current.id };
    if (!mutation.isPending) mutation.mutate({ ...order, skipPing: isStop(command) });
  };
  return {
    choices,
    change: (part: Partial<Choices>) => setChoices((before) => ({ ...before, ...part })),
    plan,
    planFailure: plan.isError ? planFailureText(plan.error) : null,
    /** It is worth asking again: no refusal. */
    canPlanAgain: plan.isError && !isRefusal(plan.error),
    failure: mutation.isError ? commandFailureText(mutation.error, command) : null,
    /** It may have been sent all the same. */
    isUnsure: mutation.isError && isPerhapsSent(mutation.error),
    fault: faultOf(command, choices),
    /** Why it can't be sent now, however it is filled in; null: it can. */
    whyNot: whyNot({ may, isAway, plan: plan.data, isPlanned: isReady }),
    send,
    isSending: mutation.isPending,
    commandId: mutation.data?.commandId ?? null,
  };
}
export type ManyOrderState = ReturnType<typeof useManyOrder>;

function planPayload(command: ManyCommand, scope: Scope, choices: Choices): Payload {
  if (isOfGateway(command)) return {};
  const whom = {
    groupUID: scope.groupUID === FARM ? choices.groupUID : scope.groupUID,
    ...(scope.uids && { uids: scope.uids }),
  };
  const { setUID, commsMode, beginWithin, clearOthers } = choices;
  const also = choices.alsoInhibited && { alsoInhibited: true };
  if (command === 'SendScheduleSet')
    return { ...whom, setUID, ...also, ...(!clearOthers && { clearOthers: false }) };
  if (command === 'TurnGroupValvesOn') return { ...whom, ...also, beginWithinMinutes: Number(beginWithin) };
  if (command === 'ChangeGroupComms') return { ...whom, commsMode: Number(commsMode) };
  return whom;
}

const openFor = (command: ManyCommand, { minutes }: Choices) =>
  command === 'TurnGroupValvesOn' ? { maxOpenMinutes: enteredNumber(minutes) } : {};

/** What is missing in what was filled in; null: nothing. */
function faultOf(command: ManyCommand, { setUID, commsMode, minutes }: Choices): string | null {
  if (command === 'SendScheduleSet') return setUID === '' ? 'Choose a schedule set.' : null;
  if (command === 'ChangeGroupComms') return commsMode === '' ? 'Choose a mode.' : null;
  if (command !== 'TurnGroupValvesOn') return null;
  const whole = enteredNumber(minutes);
  const isRight = whole !== null && Number.isInteger(whole) && whole >= 1 && whole <= 1440;
  return isRight ? null : 'Enter whole minutes from 1 to 1440.';
}

interface Circumstances {
  may: boolean;
  isAway: boolean;
  isPlanned: boolean;
  plan:
    | { toDo: number; gateways: readonly { isAvailable: boolean }[]; findings: readonly { kind: string }[] }
    | undefined;
}

function whyNot({ may, isAway, plan, isPlanned }: Circumstances): string | null {
  if (!may) return refusals.noRight;
  if (isAway) return refusals.noConnection;
  if (!plan || !isPlanned) return null;
  if (plan.gateways.length > 0 && plan.gateways.every(({ isAvailable }) => !isAvailable))
    return refusals.gatewayGone;
  if (plan.findings.some(({ kind }) => kind === 'listNotLoaded')) return refusals.listNotLoaded;
  return plan.toDo === 0 ? 'No sprinkler is left that it would go to.' : null;
}
