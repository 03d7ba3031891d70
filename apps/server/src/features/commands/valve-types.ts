import { typesThat } from '@headrace/device/commands';

/** Numbers of the commands that open and close valves, for lists in queries. */
export const valveOnTypes = typesThat('opens').join(', ');
export const valveOffTypes = typesThat('closes').join(', ');
