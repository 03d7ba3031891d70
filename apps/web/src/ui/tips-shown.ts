import { createContext } from 'react';

/** Whether help tooltips are shown: the person's own setting. */
export const TipsShown = createContext(true);
