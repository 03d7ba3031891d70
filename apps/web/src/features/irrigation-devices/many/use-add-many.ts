import { useState } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Api } from '@headrace/contract/api';
import { ApiError, call } from '../../../api/client.ts';
import { toast } from '../../../ui/toasts.ts';
import { deviceCount, deviceKinds } from '../../../device-records/device-kinds.ts';
import { useLeaveForList } from '../../devices/edit-page.tsx';
import { renewDevices } from '../../changes/renew.ts';

type Units = Api['POST /ipc/bulk-add']['body']['units'];
interface Sent {
  units: Units;
  /** Places far away are meant. */
  confirmFar?: boolean;
}

/** What is asked before sprinklers are added far away. */
export interface FarQuestion {
  text: string;
  onAnswer: (isSure: boolean) => void;
}

/** Adds sprinklers together, all or none. Then it goes to the list, unless `onAdded` says that something is left to do. */
export function useAddMany(
  farmUID: string,
  { onAdded, onFailed }: { onAdded: () => 'stay' | 'leave'; onFailed: () => void },
) {
  const queryClient = useQueryClient();
  const leave = useLeaveForList(deviceKinds.sprinkler, farmUID);
  const [asked, setAsked] = useState<{ text: string; units: Units } | null>(null);
  const add = useMutation({
    mutationFn: (sent: Sent) => call('POST /ipc/bulk-add', { body: { farmUID, ...sent } }),
    onSuccess: ({ ids }) => {
      toast.success(`${deviceCount(ids.length, deviceKinds.sprinkler)} added.`, { id: 'added' });
      if (onAdded() === 'leave') leave();
      else void renewDevices(queryClient);
    },
    onError: (error, { units }) => {
      if (error instanceof ApiError && error.field === 'confirmFar') setAsked({ text: error.message, units });
      else onFailed();
    },
  });
  const question: FarQuestion | null = asked && {
    text: asked.text,
    onAnswer: (isSure) => {
      setAsked(null);
      if (isSure) add.mutate({ units: asked.units, confirmFar: true });
      else add.reset();
    },
  };
  return {
    isPending: add.isPending,
    error: asked ? null : add.error,
    question,
    add: (units: Units) => {
      if (!add.isPending) add.mutate({ units });
    },
  };
}
