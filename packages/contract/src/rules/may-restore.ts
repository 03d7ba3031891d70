import { can, flag } from '../permissions.ts';

/** Who may only look at the dashboard must not overwrite a farm. */
export const mayRestore = { allOf: [flag('dashboard'), can('farms', 'Edit')] } as const;
