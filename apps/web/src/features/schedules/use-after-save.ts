import { useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { SetSummary } from '@headrace/contract/schedule-sets';
import type { ScheduleTemplate } from '@headrace/contract/schedule-templates';
import { errorText } from '../../api/client.ts';
import { farmSetsQuery } from '../../device-records/choices.queries.ts';
import { toast } from '../../ui/toasts.ts';
import { storeSet } from './store-set.ts';
import { renewTemplates, templateQuery } from './templates.queries.ts';

/** A template as it was saved, and the set that was made of it; or why none was. */
interface Saved {
  template: ScheduleTemplate;
  made: SetSummary | { failure: unknown } | null;
}

/** What saving a template comes to: the farm's templates, or a set that is made of it at once. */
export function useAfterSave(farmUID: string, what: 'added' | 'saved') {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const isComputing = useRef(false);
  const [set, setSet] = useState<SetSummary | null>(null);
  return {
    /** The set that was just made. */
    set,
    /** Said before saving. */
    aim: (goal: 'save' | 'compute') => {
      isComputing.current = goal === 'compute';
    },
    /** Within saving, so that the form is busy until the set is there. */
    compute: async (template: ScheduleTemplate): Promise<Saved> => ({
      template,
      made: isComputing.current ? await storeSet(template).catch((failure: unknown) => ({ failure })) : null,
    }),
    saved: ({ template, made }: Saved) => {
      const { _id, name } = template;
      queryClient.setQueryData(templateQuery(farmUID, _id).queryKey, template);
      void renewTemplates(queryClient, farmUID);
      if (made === null) {
        toast.success(`${name} ${what}.`);
        void navigate({ to: '/scheduler/$farmUID', params: { farmUID } });
      } else if ('failure' in made) {
        toast.error(
          `Schedule set couldn't be upload! ${name} is saved as a template. ${errorText(made.failure)}`,
        );
        // It is there now: saving it once more must not add another.
        if (what === 'added')
          void navigate({ to: '/scheduler/$farmUID/$id', params: { farmUID, id: _id }, replace: true });
      } else {
        void queryClient.invalidateQueries({ queryKey: farmSetsQuery(farmUID).queryKey });
        setSet(made);
      }
    },
  };
}
export type AfterSave = ReturnType<typeof useAfterSave>;
